import type { Explainer } from "./explainers.ts";
import type { FolderNode } from "./folder-tree.ts";
import type { SelectedDocuments } from "./selected-documents.ts";

export interface BulkDialogRequest {
  kind: "move" | "tag" | "purge" | "remove";
  selected: SelectedDocuments;
  count: number;
  /** Set when there is only one document. */
  title: string | null;
  /** Called after the action succeeds. */
  done: () => void;
}

/** The open dialog and what it acts on. */
export type DialogRequest =
  | BulkDialogRequest
  | { kind: "create-folder"; /** null: the root. */ parent: FolderNode | null }
  | { kind: "rename-folder" | "delete-folder"; folder: FolderNode }
  | { kind: "explain"; what: Explainer };
