import type { ThreadWire } from "@carrel/contracts";

/**
 * The open dialog: renaming a thread, deleting it or the selected ones, or sharing it (a null slug:
 * the default thread).
 */
export type ThreadDialogRequest =
  | { kind: "rename" | "delete"; thread: ThreadWire }
  | { kind: "share"; threadSlug: string | null }
  | { kind: "delete-selected"; slugs: string[] };
