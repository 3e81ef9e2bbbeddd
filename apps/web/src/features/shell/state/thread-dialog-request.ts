import type { ThreadWire } from "@carrel/contracts";

/** The open dialog: renaming a thread, or deleting it or the selected ones. */
export type ThreadDialogRequest =
  { kind: "rename" | "delete"; thread: ThreadWire } | { kind: "delete-selected"; slugs: string[] };
