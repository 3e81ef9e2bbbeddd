import { searchEverything } from "@carrel/contracts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

/** Shorter ones find nothing on the server. */
export const shortestTerm = 3;

/**
 * Workspaces, threads and messages that hold the words. A term that is typed on cancels the one
 * before; what was found stays until the next is there.
 */
const searchKeys = { term: (term: string) => ["search", term] } as const;

export const searchQuery = (term: string) =>
  queryOptions({
    queryKey: searchKeys.term(term),
    enabled: term.length >= shortestTerm,
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(searchEverything, { searchTerm: term.slice(0, 200) }, { signal }),
  });
