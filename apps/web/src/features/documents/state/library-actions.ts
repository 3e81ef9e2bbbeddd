import type { LibraryDocument } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { toast } from "../../../lib/toast.ts";
import { useAddDocuments, useReparseDocuments } from "../api/bulk-actions.ts";
import type { Ask } from "./ask.ts";
import { countChosen, nothing, withFolder, type Chosen } from "./chosen.ts";
import { saveOriginals } from "./download.ts";
import { setExpanded, toggleFolder } from "./expanded-folders.ts";
import type { FolderNode } from "./folder-tree.ts";
import { only, type LibrarySelection } from "./library-selection.ts";
import { stage, stagedOf } from "./staged.ts";

/** What can be done with one row of My documents. */
export interface LibraryRowActions {
  toggle: (folder: string) => void;
  open: (document: LibraryDocument) => void;
  /** Adds it right away. */
  add: (document: LibraryDocument) => void;
  /** Stages it to be added together with others. */
  stage: (document: LibraryDocument) => void;
  addFolder: (node: FolderNode) => void;
  move: (document: LibraryDocument) => void;
  tag: (document: LibraryDocument) => void;
  download: (document: LibraryDocument) => void;
  reread: (document: LibraryDocument) => void;
  remove: (document: LibraryDocument) => void;
  makeFolder: (parent: FolderNode) => void;
  renameFolder: (node: FolderNode) => void;
  removeFolder: (node: FolderNode) => void;
}

/** What can be done with any part of My documents. */
export interface LibraryActions {
  /** Opens the dialog for these documents. */
  ask: (kind: "move" | "tag" | "purge", chosen: Chosen) => void;
  stageAll: (chosen: Chosen) => void;
  row: LibraryRowActions;
}

export function useLibraryActions(
  slug: string,
  { deepCount, clear }: LibrarySelection,
  onOpen: (document: LibraryDocument) => void,
  onAsk: (ask: Ask) => void,
): LibraryActions {
  const { t } = useTranslation("library");
  const add = useAddDocuments(slug);
  const reparse = useReparseDocuments();
  const ask: LibraryActions["ask"] = (kind, chosen) => {
    const [document] = chosen.documents.values();
    const isOne = !chosen.all && chosen.folders.size === 0 && chosen.documents.size === 1;
    onAsk({
      kind,
      chosen,
      count: countChosen(chosen, deepCount),
      title: isOne && document ? document.title : null,
      done: clear,
    });
  };
  const stageAll = (chosen: Chosen): void => {
    const staged = stagedOf(chosen, deepCount, t("myDocuments"));
    if (Object.keys(staged.documents).length + staged.filters.length === 0)
      return toast.info(t("onlyFailed"));
    stage(slug, staged);
  };
  return {
    ask,
    stageAll,
    row: {
      toggle: toggleFolder,
      open: onOpen,
      add: (document) => add.mutate({ documents: only(document) }),
      stage: (document) => stageAll(only(document)),
      addFolder: (node) => stageAll(withFolder(nothing, node.name, true)),
      move: (document) => ask("move", only(document)),
      tag: (document) => ask("tag", only(document)),
      download: (document) => void saveOriginals([document]),
      reread: (document) => reparse.mutate({ documents: only(document) }),
      remove: (document) => ask("purge", only(document)),
      makeFolder: (parent) => {
        setExpanded(parent.name, true);
        onAsk({ kind: "make-folder", parent });
      },
      renameFolder: (folder) => onAsk({ kind: "rename-folder", folder }),
      removeFolder: (folder) => onAsk({ kind: "remove-folder", folder }),
    },
  };
}
