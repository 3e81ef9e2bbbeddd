import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../../../components/ui/choices.tsx";
import type { Sorting } from "../api/library.ts";
import type { WorkspaceSelection } from "../state/workspace-selection.ts";
import { addedCell, headRow } from "./document-row-styles.ts";

/** Column headers of a workspace's documents; name and date sort the list. */
export function WorkspaceColumns({
  selectable,
  rowCount,
  selection: { count, clear, selectAll },
  sorting,
  onSort,
}: {
  /** Rows can be selected. */
  selectable: boolean;
  rowCount: number;
  selection: WorkspaceSelection;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}) {
  const { t } = useTranslation("library");
  const isAll = count > 0 && count >= rowCount;
  return (
    <div className={headRow} role="row" aria-rowindex={1}>
      {selectable && (
        <span className="grid" role="columnheader">
          <Checkbox
            mixed={count > 0 && count < rowCount}
            checked={isAll}
            disabled={rowCount === 0}
            aria-label={isAll ? t("deselectAll") : t("selectAll")}
            onChange={() => (count >= rowCount ? clear() : selectAll())}
          />
        </span>
      )}
      <span role="columnheader">
        <span className="sr-only">{t("workspace.columnType")}</span>
      </span>
      <SortableColumn
        by="title"
        descendingFirst={false}
        label={t("workspace.columnName")}
        sorting={sorting}
        onSort={onSort}
      />
      <span role="columnheader">{t("workspace.columnStatus")}</span>
      <SortableColumn
        by="added"
        className={selectable ? addedCell.selectable : addedCell.plain}
        descendingFirst
        label={t("workspace.columnAdded")}
        sorting={sorting}
        onSort={onSort}
      />
      <span role="columnheader">
        <span className="sr-only">{t("workspace.columnActions")}</span>
      </span>
    </div>
  );
}

function SortableColumn({
  by,
  className,
  descendingFirst,
  label,
  sorting: { sort, descending },
  onSort,
}: {
  by: Sorting["sort"];
  className?: string;
  /** The order that the first click sets. */
  descendingFirst: boolean;
  label: string;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}) {
  const isSorted = sort === by;
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <span
      className={className}
      role="columnheader"
      aria-sort={!isSorted ? "none" : descending ? "descending" : "ascending"}
    >
      <button
        type="button"
        className="inline-flex min-h-6 items-center gap-1 rounded-[3px] hover:text-fg-1"
        onClick={() => onSort({ sort: by, descending: isSorted ? !descending : descendingFirst })}
      >
        {label}
        {isSorted && <Arrow className="size-3.5 stroke-2" aria-hidden="true" />}
      </button>
    </span>
  );
}
