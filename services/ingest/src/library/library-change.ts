import { z } from "zod";

const tags = z.array(z.string());
/** The operation applied to each selected document; stored with the change until it completes. */
export const libraryChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("move"), folder: z.string() }),
  /** Renames a folder and its subfolders; documents keep their path relative to it. */
  z.object({ kind: z.literal("rename"), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal("tag"), add: tags, remove: tags }),
  z.object({ kind: z.literal("purge") }),
  z.object({ kind: z.literal("reread") }),
  z.object({ kind: z.literal("add") }),
  z.object({ kind: z.literal("take-out") }),
  z.object({ kind: z.literal("pin"), pinned: z.boolean() }),
  z.object({ kind: z.literal("embed-again") }),
]);
export type LibraryChange = z.infer<typeof libraryChange>;

export interface ChangeOutcome {
  affected: number;
  skipped: number;
}
/** A change whose documents have been recorded; `id` is null if nothing is left to do. */
export interface FrozenChange {
  id: string | null;
  outcome: ChangeOutcome;
  /** Call after the commit. */
  after: () => void;
}

/**
 * SQL condition for the documents that a change applies to; the rest of the selection is skipped.
 */
export function buildEligibility(change: LibraryChange, workspaceId: number | null): string {
  const inWorkspace = (and = ""): string =>
    `EXISTS (
      SELECT 1 FROM ingest.workspace_document w
      WHERE w.document_id = d.id AND w.workspace_id = ${Number(workspaceId)}${and}
    )`;
  switch (change.kind) {
    case "move":
    case "rename":
    case "tag":
    case "purge":
      return "true";
    case "reread":
      return `d.state = 'failed' AND d.blob_key IS NOT NULL`;
    case "add":
      return `d.state <> 'failed' AND NOT ${inWorkspace(` AND w.state <> 'failed'`)}`;
    case "take-out":
    case "pin":
      return inWorkspace();
    case "embed-again":
      return inWorkspace(` AND w.index_version IS NOT NULL`);
  }
}
