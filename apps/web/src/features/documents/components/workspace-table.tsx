import type { WorkspaceDocumentStatus } from "@carrel/contracts";
import { type DragEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import { endDrag, startDrag } from "../state/dragged.ts";
import { useRowNavigation } from "../state/row-navigation.ts";
import { countSelected, isSelected, isEmpty } from "../state/selected-documents.ts";
import { useStableCallbacks } from "../state/stable-callbacks.ts";
import type { WorkspaceActions } from "../state/workspace-actions.ts";
import type { WorkspaceRows } from "../state/workspace-rows.ts";
import { noFolders, selectOnly, type WorkspaceSelection } from "../state/workspace-selection.ts";
import { columns } from "./document-row-styles.ts";
import { DocumentRow, isReadable } from "./document-row.tsx";
import { UploadRows } from "./upload-rows.tsx";

/** A workspace's documents in view, below its running uploads. */
export function WorkspaceTable({
  slug,
  label,
  head,
  rows,
  selection,
  actions,
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
  /** Whether the user may change documents. */
  manager: boolean;
  /** Rows can be selected. */
  selectable: boolean;
  onOpen: (document: WorkspaceDocumentStatus) => void;
  onExplainWatching: () => void;
  onActivity: () => void;
}) {
  const { t } = useTranslation("library");
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
