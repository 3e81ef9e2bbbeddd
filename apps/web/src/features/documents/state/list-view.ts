import { useDeferredValue, useState } from "react";
import type { Sorting } from "../api/library.ts";
import { hasFilters, noFilters, type DocumentFilters } from "./document-filters.ts";

/** What a list of documents shows: a search, filters and an order. */
export interface ListView {
  search: string;
  /** The search term as applied, a moment after it was typed. */
  term: string;
  filters: DocumentFilters;
  sorting: Sorting;
  isFiltered: boolean;
  setSearch: (search: string) => void;
  setFilters: (filters: DocumentFilters) => void;
  setSorting: (sorting: Sorting) => void;
  /** Shows everything again, in the same order. */
  reset: () => void;
}

export function useListView(initialSorting: Sorting): ListView {
  const [search, setSearch] = useState("");
  const [filters, setFilters] = useState(noFilters);
  const [sorting, setSorting] = useState(initialSorting);
  const term = useDeferredValue(search.trim());
  return {
    search,
    term,
    filters,
    sorting,
    isFiltered: term !== "" || hasFilters(filters),
    setSearch,
    setFilters,
    setSorting,
    reset: () => {
      setSearch("");
      setFilters(noFilters);
    },
  };
}
