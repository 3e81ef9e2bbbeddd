import { useTranslation } from "react-i18next";
import { SearchField } from "../../../components/ui/search-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import type { Sorting } from "../api/library.ts";
import type { DocumentFilters, StateFilter } from "../state/document-filters.ts";
import type { WorkspaceRows } from "../state/workspace-rows.ts";
import { FilterPopover } from "./filter-popover.tsx";

const states: readonly StateFilter[] = ["waiting", "ready", "failed", "pinned"];

/** Title, document and passage counts, search and filters. */
export function WorkspaceHead({
  rows: { total, passages },
  count,
  isFiltered,
  onShowAll,
  search,
  onSearch,
  filters,
  onFilter,
  sorting,
  onSort,
  tags,
}: {
  rows: WorkspaceRows;
  /** null while loading. */
  count: { documents: number; failed: number } | null;
  isFiltered: boolean;
  onShowAll: () => void;
  search: string;
  onSearch: (search: string) => void;
  filters: DocumentFilters;
  onFilter: (filters: DocumentFilters) => void;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  /** Tags to filter by. */
  tags: string[];
}) {
  const { t } = useTranslation("library");
  return (
    <div className="flex flex-none items-center gap-2 py-3 ps-4 pe-3 max-md:border-b max-md:border-subtle">
      <h2 className="font-semibold whitespace-nowrap max-md:hidden">
        {t("workspace.inThisWorkspace")}
      </h2>
      {total !== null && count && (
        <span className="text-fg-3 tabular-nums max-md:hidden truncate">
          {isFiltered ? (
            t("workspace.found", { count: total })
          ) : (
            <>
              {t("workspace.documents", { count: count.documents })}
              {count.failed > 0 && `, ${t("workspace.failedDocuments", { count: count.failed })}`}
            </>
          )}
          {passages !== null && (
            <> · {t("workspace.passages", { count: passages, text: formatNumber(passages) })}</>
          )}
        </span>
      )}
      {isFiltered && total !== null && total > 0 && (
        <button type="button" className="link text-xs max-md:hidden" onClick={onShowAll}>
          {t("resetFilter")}
        </button>
      )}
      <span className="min-w-0 flex-1 max-md:hidden" />
      <SearchField
        className="h-7 w-[220px] max-md:h-10 max-md:w-auto max-md:flex-1 [&_input::-webkit-search-cancel-button]:appearance-none"
        label={t("workspace.searchLabel")}
        placeholder={t("workspace.search")}
        value={search}
        maxLength={200}
        onChange={(event) => onSearch(event.target.value)}
      />
      <FilterPopover
        value={filters}
        states={states}
        tags={tags}
        sorting={sorting}
        onChange={onFilter}
        onSort={onSort}
      />
    </div>
  );
}
