import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import type { FolderNode } from "./folder-tree.ts";
import type { SelectedDocuments } from "./selected-documents.ts";

const flags = { pin: keys.pinnedAlert, watch: keys.watchedAlert } as const;
export type Explainer = keyof typeof flags;

/**
 * Whether this browser has shown the explanation. Other clients of this wire use the same storage
 * key.
 */
export const hasSeenExplainer = (what: Explainer): boolean => readStored(flags[what]) !== null;
export const markExplainerSeen = (what: Explainer): void => writeStored(flags[what], "true");

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
  | { kind: "explain"; what: Explainer }
  | { kind: "watch"; /** Whose sync is shown. */ documentId: string };
