import type { Chosen } from "./chosen.ts";
import type { Explained } from "./explained.ts";
import type { FolderNode } from "./folder-tree.ts";

export interface AskAboutDocuments {
  kind: "move" | "tag" | "purge" | "take-out";
  chosen: Chosen;
  count: number;
  /** Set when there is only one document. */
  title: string | null;
  /** Called once the action succeeded. */
  done: () => void;
}

/** The open dialog and what it acts on. */
export type Ask =
  | AskAboutDocuments
  | { kind: "make-folder"; /** null: the root. */ parent: FolderNode | null }
  | { kind: "rename-folder" | "remove-folder"; folder: FolderNode }
  | { kind: "explain"; what: Explained };
