import type { WatchWire, WorkspaceDocumentStatus } from "@carrel/contracts";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { DragEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { formatNumber } from "../../../lib/format.ts";
import type { Sorting } from "../api/library.ts";
import { useRowNavigation, useStableCallbacks } from "../state/row-navigation.ts";
import { countSelected, isEmpty, isSelected } from "../state/selected-documents.ts";
import type { WorkspaceActions } from "../state/workspace-actions.ts";
import {
  noFolders,
  selectOnly,
  type WorkspaceRows,
  type WorkspaceSelection,
} from "../state/workspace-selection.ts";
import { DocumentRow, isReadable } from "./document-row.tsx";
import { endDrag, startDrag } from "./drop-hint.tsx";
import { addedCell, columns, headRow } from "./status-line.tsx";
import { UploadRows } from "./upload-rows.tsx";

/** A workspace's documents in view, below its running uploads. */
export function WorkspaceTable({
  slug,
  label,
  head,
  rows,
  selection,
  actions,
  watches,
  manager,
  selectable,
  onOpen,
  onExplainWatching,
  onActivity,
}: {
  slug: string;
  label: string;
  /** The column headers. */
  head: ReactNode;
  rows: WorkspaceRows;
  selection: WorkspaceSelection;
  actions: WorkspaceActions;
  /** By document. */
  watches: ReadonlyMap<string, WatchWire>;
  /** Whether the user may change documents. */
  manager: boolean;
  /** Rows can be selected. */
  selectable: boolean;
  onOpen: (document: WorkspaceDocumentStatus) => void;
  onExplainWatching: () => void;
  onActivity: () => void;
}) {
  const { t } = useTranslation("documents-manager");
  const { virtual, documentAt } = rows;
  const { selected } = selection;
  const navigation = useRowNavigation(virtual, {
    select: selection.select,
    selectAll: selection.selectAll,
    open: (index) => {
      const document = documentAt(index);
      if (document && isReadable(document)) onOpen(document);
    },
    remove: () => {
      const document = documentAt(virtual.active);
      if (!manager) return;
      if (!isEmpty(selected)) actions.openDialog("remove", selected);
      else if (document) actions.row.remove(document);
    },
  });
  const rowActions = useStableCallbacks(actions.row);
  const callbacks = useStableCallbacks({
    open: onOpen,
    click: navigation.onRowClick,
    explainWatching: onExplainWatching,
    drag: (event: DragEvent<HTMLElement>, index: number) => {
      const document = documentAt(index);
      if (!document) return event.preventDefault();
      const isInSelection = isSelected(selected, document.documentId);
      const dragged = isInSelection ? selected : selectOnly(document);
      const count = countSelected(dragged, noFolders);
      startDrag(event, {
        from: "workspace",
        selected: dragged,
        count,
        deepCount: noFolders,
        label: isInSelection ? t("selected", { count, text: formatNumber(count) }) : document.title,
      });
    },
  });
  const failedTitles = virtual.items.flatMap(({ index }) => {
    const document = documentAt(index);
    return document?.state === "failed" ? [document.title] : [];
  });
  return (
    <div
      className={selectable ? columns.selectable : columns.plain}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.count + 1}
      {...(selectable ? { "aria-multiselectable": true } : {})}
      onKeyDown={navigation.onKeyDown}
      onFocus={navigation.onFocus}
      onDragEnd={endDrag}
    >
      <div role="rowgroup">{head}</div>
      <div role="rowgroup">
        <UploadRows
          slug={slug}
          kind="rows"
          selectable={selectable}
          onMore={onActivity}
          recorded={failedTitles}
        />
      </div>
      <div
        role="rowgroup"
        className="relative"
        style={{ blockSize: virtual.virtualizer.getTotalSize() }}
      >
        {virtual.items.map(({ index, start }, n) => {
          const document = documentAt(index);
          return (
            <div
              key={rows.keys[n]}
              role="presentation"
              data-index={index}
              ref={virtual.virtualizer.measureElement}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <DocumentRow
                document={document}
                index={index}
                selectable={selectable}
                active={index === virtual.active}
                checked={document !== null && isSelected(selected, document.documentId)}
                watch={(document && watches.get(document.documentId)) ?? null}
                callbacks={callbacks}
                change={manager ? rowActions : null}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

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
  const { t } = useTranslation("documents-manager");
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
