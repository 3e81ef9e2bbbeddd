import { FolderPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { SearchField } from "../../../components/ui/search-field.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { formatNumber } from "../../../lib/format.ts";
import type { Sorting } from "../api/library.ts";
import type { DocumentFilters, StateFilter } from "../state/document-filters.ts";
import { FilterPopover } from "./filter-popover.tsx";

const states: readonly StateFilter[] = ["waiting", "ready", "failed"];

/** Title, search, filters and the button for a new folder. */
export function LibraryHead({
  total,
  search,
  onSearch,
  filters,
  onFilter,
  sorting,
  onSort,
  tags,
  onNewFolder,
}: {
  /** undefined while loading. */
  total: number | undefined;
  search: string;
  onSearch: (search: string) => void;
  filters: DocumentFilters;
  onFilter: (filters: DocumentFilters) => void;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  /** Tags to filter by. */
  tags: string[];
  onNewFolder: () => void;
}) {
  const { t } = useTranslation("library");
  return (
    <div className="flex flex-none items-center gap-2 py-3 ps-4 pe-3">
      <h2 className="font-semibold whitespace-nowrap">{t("myDocuments")}</h2>
      <span className="text-fg-3 tabular-nums">
        {total === undefined ? "" : formatNumber(total)}
      </span>
      <span className="min-w-0 flex-1" />
      <SearchField
        className="h-7 max-w-[180px] flex-[1_1_120px] @max-[901px]/documents:max-w-none [&_input::-webkit-search-cancel-button]:appearance-none"
        label={t("searchLibrary")}
        placeholder={t("search")}
        value={search}
        maxLength={200}
        onChange={(event) => onSearch(event.target.value)}
      />
      <FilterPopover
        value={filters}
        states={states}
        canHideAdded
        tags={tags}
        sorting={sorting}
        onChange={onFilter}
        onSort={onSort}
      />
      <IconButton label={t("newFolder")} onClick={onNewFolder}>
        <FolderPlus />
      </IconButton>
    </div>
  );
}
