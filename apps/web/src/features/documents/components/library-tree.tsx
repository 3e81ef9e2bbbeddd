import { type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import {
  countSelected,
  isInSelectedFolder,
  isSelected,
  isFolderSelected,
  isEmpty,
  isEverything,
} from "../state/selected-documents.ts";
import { endDrag, startDrag } from "../state/dragged.ts";
import { folderPath, parentOf, rootFolder } from "../state/folder-tree.ts";
import type { LibraryActions } from "../state/library-actions.ts";
import { useLibraryNavigation } from "../state/library-navigation.ts";
import type { LibraryRows } from "../state/library-rows.ts";
import type { LibrarySelection } from "../state/library-selection.ts";
import { useStableCallbacks } from "../state/stable-callbacks.ts";
import { FolderRow } from "./folder-row.tsx";
import { LibraryRow } from "./library-row.tsx";
import type { LibraryRowCallbacks } from "./tree-row.ts";

/** The rows in view of the folder tree or of a flat list of results. */
export function LibraryTree({
  rows,
  selection,
  actions,
  workspaceId,
  over,
}: {
  rows: LibraryRows;
  selection: LibrarySelection;
  actions: LibraryActions;
  workspaceId: number | undefined;
  /** The folder under the dragged items. */
  over: string | null;
}) {
  const { t } = useTranslation("library");
  const { flat, virtual } = rows;
  const { selected, deepCount } = selection;
  const navigation = useLibraryNavigation(rows, selection, actions.row, () =>
    actions.openDialog("purge", selected),
  );
  const callbacks = useStableCallbacks<LibraryRowCallbacks>({
    ...actions.row,
    click: navigation.onRowClick,
    measure: (row) => virtual.virtualizer.measureElement(row as HTMLDivElement | null),
    drag: (event: DragEvent<HTMLElement>, index) => {
      const dragged = selection.selectionForDrag(index);
      if (!dragged) return event.preventDefault();
      const row = rows.rowAt(index);
      const count = countSelected(dragged.selected, deepCount);
      startDrag(event, {
        from: "library",
        selected: dragged.selected,
        count,
        deepCount,
        label: dragged.isSelection
          ? t("selected", { count, text: formatNumber(count) })
          : row?.kind === "folder"
            ? row.node.label
            : (rows.documentAt(index)?.title ?? ""),
      });
    },
  });
  return (
    <div
      className="group/tree relative mx-2"
      data-choosing={isEmpty(selected) ? undefined : ""}
      role="tree"
      aria-multiselectable="true"
      aria-label={flat ? t("rowsFound") : t("tree")}
      style={{ blockSize: virtual.virtualizer.getTotalSize() }}
      onKeyDown={navigation.onKeyDown}
      onFocus={navigation.onFocus}
      onDragEnd={endDrag}
    >
      {virtual.items.map(({ index, start }, n) => {
        const row = rows.rowAt(index);
        const place = {
          index,
          top: start,
          level: row?.level ?? 0,
          active: index === virtual.active,
          callbacks,
        };
        if (row?.kind === "folder")
          return (
            <FolderRow
              key={rows.keys[n]}
              {...place}
              node={row.node}
              open={rows.expanded.has(row.node.name)}
              checked={isFolderSelected(selected, row.node.name)}
              within={isInSelectedFolder(selected, parentOf(row.node.name))}
              over={over === row.node.name}
            />
          );
        const document = rows.documentAt(index);
        const folder = document?.folder ?? row?.folder ?? rootFolder;
        return (
          <LibraryRow
            key={rows.keys[n]}
            {...place}
            document={document}
            folder={folder}
            path={folderPath(rows.folders, folder)}
            here={
              workspaceId !== undefined && (document?.workspaces.includes(workspaceId) ?? false)
            }
            flat={flat}
            checked={
              document !== null
                ? isSelected(selected, document.documentId, flat ? undefined : folder)
                : flat
                  ? isEverything(selected)
                  : isFolderSelected(selected, folder)
            }
            within={!flat && isInSelectedFolder(selected, folder)}
          />
        );
      })}
    </div>
  );
}
