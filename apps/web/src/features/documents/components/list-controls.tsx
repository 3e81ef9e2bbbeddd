import { SearchField } from "../../../components/ui/text-field.tsx";
import { cn } from "../../../lib/cn.ts";
import type { StateFilter } from "../state/document-filters.ts";
import type { ListView } from "../state/list-view.ts";
import { FilterPopover } from "./filter-popover.tsx";

/** The search field, filters and order of a list of documents. */
export function ListControls({
  view: { search, filters, sorting, setSearch, setFilters, setSorting },
  label,
  placeholder,
  className,
  states,
  canHideAdded = false,
  tags,
}: {
  view: ListView;
  label: string;
  placeholder: string;
  /** Class of the search field. */
  className: string;
  states: readonly StateFilter[];
  canHideAdded?: boolean;
  /** Tags to filter by. */
  tags: string[];
}) {
  return (
    <>
      <SearchField
        className={cn("h-7 [&_input::-webkit-search-cancel-button]:appearance-none", className)}
        label={label}
        placeholder={placeholder}
        value={search}
        maxLength={200}
        onChange={(event) => setSearch(event.target.value)}
      />
      <FilterPopover
        value={filters}
        states={states}
        canHideAdded={canHideAdded}
        tags={tags}
        sorting={sorting}
        onChange={setFilters}
        onSort={setSorting}
      />
    </>
  );
}
