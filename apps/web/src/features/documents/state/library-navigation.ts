import { isEmpty } from "./selected-documents.ts";
import { setExpanded } from "./expanded-folders.ts";
import { parentOf, rowOfFolder } from "./folder-tree.ts";
import type { LibraryRowActions } from "./library-actions.ts";
import { isReadable, type LibraryRows } from "./library-rows.ts";
import type { LibrarySelection } from "./library-selection.ts";
import { useRowNavigation } from "./row-navigation.ts";

/** Keyboard control of My documents, as in a file manager. */
export function useLibraryNavigation(
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
