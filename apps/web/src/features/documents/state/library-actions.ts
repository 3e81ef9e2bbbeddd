import type { LibraryDocument } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { toast } from "../../../lib/toast.ts";
import { useAddDocuments, useDownloadOriginals, useReparseDocuments } from "../api/bulk-actions.ts";
import type { DialogRequest } from "./dialog-request.ts";
import type { FolderNode } from "./folder-tree.ts";
import { setExpanded, toggleFolder } from "./library-rows.ts";
import { selectOnly, type LibrarySelection } from "./library-selection.ts";
import {
  countSelected,
  emptySelection,
  withFolder,
  type SelectedDocuments,
} from "./selected-documents.ts";
import { stage, toStaged } from "./staged.ts";

/** Actions for one row of My documents. */
export interface LibraryRowActions {
  toggle: (folder: string) => void;
  open: (document: LibraryDocument) => void;
  /** Adds the document right away. */
  add: (document: LibraryDocument) => void;
  /** Stages the document, to be added together with others. */
  stage: (document: LibraryDocument) => void;
  addFolder: (node: FolderNode) => void;
  move: (document: LibraryDocument) => void;
  tag: (document: LibraryDocument) => void;
  download: (document: LibraryDocument) => void;
  reparse: (document: LibraryDocument) => void;
  remove: (document: LibraryDocument) => void;
  createFolder: (parent: FolderNode) => void;
  renameFolder: (node: FolderNode) => void;
  deleteFolder: (node: FolderNode) => void;
}

/** Actions for any part of My documents. */
export interface LibraryActions {
  /** Opens the dialog for these documents. */
  openDialog: (kind: "move" | "tag" | "purge", selected: SelectedDocuments) => void;
  stageAll: (selected: SelectedDocuments) => void;
  row: LibraryRowActions;
}

export function useLibraryActions(
  slug: string,
  { deepCount, clear }: LibrarySelection,
  onOpen: (document: LibraryDocument) => void,
  onOpenDialog: (request: DialogRequest) => void,
): LibraryActions {
  const { t } = useTranslation("documents-manager");
  const download = useDownloadOriginals();
  const add = useAddDocuments(slug);
  const reparse = useReparseDocuments();
  const openDialog: LibraryActions["openDialog"] = (kind, selected) => {
    const [document] = selected.documents.values();
    const isOne = !selected.all && selected.folders.size === 0 && selected.documents.size === 1;
    onOpenDialog({
      kind,
      selected,
      count: countSelected(selected, deepCount),
      title: isOne && document ? document.title : null,
      done: clear,
    });
  };
  const stageAll = (selected: SelectedDocuments): void => {
    const staged = toStaged(selected, deepCount, t("myDocuments"));
    if (Object.keys(staged.documents).length + staged.filters.length === 0)
      return toast.info(t("onlyFailed"));
    stage(slug, staged);
  };
  return {
    openDialog,
    stageAll,
    row: {
      toggle: toggleFolder,
      open: onOpen,
      add: (document) => add.mutate({ documents: selectOnly(document) }),
      stage: (document) => stageAll(selectOnly(document)),
      addFolder: (node) => stageAll(withFolder(emptySelection, node.name, true)),
      move: (document) => openDialog("move", selectOnly(document)),
      tag: (document) => openDialog("tag", selectOnly(document)),
      download: (document) => download([document]),
      reparse: (document) => reparse.mutate({ documents: selectOnly(document) }),
      remove: (document) => openDialog("purge", selectOnly(document)),
      createFolder: (parent) => {
        setExpanded(parent.name, true);
        onOpenDialog({ kind: "create-folder", parent });
      },
      renameFolder: (folder) => onOpenDialog({ kind: "rename-folder", folder }),
      deleteFolder: (folder) => onOpenDialog({ kind: "delete-folder", folder }),
    },
  };
}
