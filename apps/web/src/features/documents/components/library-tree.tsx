import type { DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import { folderPath, parentOf, rootFolder, rowOfFolder } from "../state/folder-tree.ts";
import type { LibraryActions, LibraryRowActions } from "../state/library-actions.ts";
import { isReadable, setExpanded, type LibraryRows } from "../state/library-rows.ts";
import type { LibrarySelection } from "../state/library-selection.ts";
import {
  useRowNavigation,
  useStableCallbacks,
  type LibraryRowCallbacks,
} from "../state/row-navigation.ts";
import {
  countSelected,
  isEmpty,
  isEverything,
  isFolderSelected,
  isInSelectedFolder,
  isSelected,
} from "../state/selected-documents.ts";
import { endDrag, startDrag } from "./drop-hint.tsx";
import { FolderRow } from "./folder-row.tsx";
import { LibraryRow } from "./library-row.tsx";

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
  const { t } = useTranslation("documents-manager");
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

/** Keyboard control of My documents, as in a file manager. */
function useLibraryNavigation(
  rows: LibraryRows,
  selection: LibrarySelection,
  actions: Pick<LibraryRowActions, "open" | "remove" | "deleteFolder">,
  removeSelected: () => void,
) {
  return useRowNavigation(rows.virtual, {
    select: selection.select,
    open: (index) => {
      const row = rows.rowAt(index);
      if (row?.kind === "folder")
        return setExpanded(row.node.name, !rows.expanded.has(row.node.name));
      const document = rows.documentAt(index);
      if (document && isReadable(document)) actions.open(document);
    },
    remove: () => {
      if (!isEmpty(selection.selected)) return removeSelected();
      const row = rows.rowAt(rows.virtual.active);
      const document = rows.documentAt(rows.virtual.active);
      if (row?.kind === "folder") actions.deleteFolder(row.node);
      else if (document) actions.remove(document);
    },
    selectAll: selection.selectAll,
    sideways: (index, forwards) => {
      const row = rows.rowAt(index);
      if (rows.flat || !row) return null;
      const isOpen = row.kind === "folder" && rows.expanded.has(row.node.name);
      if (row.kind === "folder" && forwards) {
        if (isOpen) return index + 1;
        setExpanded(row.node.name, true);
        return null;
      }
      if (row.kind === "folder" && isOpen) {
        setExpanded(row.node.name, false);
        return null;
      }
      const parent = rowOfFolder(
        rows.tree,
        row.kind === "folder" ? parentOf(row.node.name) : row.folder,
      );
      return forwards || parent < 0 ? null : parent;
    },
  });
}
