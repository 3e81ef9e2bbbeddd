import { clipText } from "@carrel/contracts";
import type { Table } from "@lancedb/lancedb";
import type { ChangeListener } from "./change-follower.ts";
import type { Deletion } from "./table-change.ts";
import { VectorStoreError, invalidCall } from "./vector-store.ts";

const firstLine = (error: unknown): string =>
  clipText(String(error instanceof Error ? error.message : error).split("\n")[0]!, 300);
/** The cause is the machine, not the table. */
export const isShortage = (error: unknown): boolean =>
  /permission denied|not a directory|too many open files|no space|read-only file system|out of memory|allocation failed|resources exhausted|os error (?:12|13|20|24|28|30)\b/i.test(
    String(error),
  );
export const isMissing = (error: unknown): boolean =>
  /not found|no such file|does not exist/i.test(String(error));
export const isConflict = (error: unknown): boolean => /conflict/i.test(String(error));

export function unreadable(index: string, cause: unknown): VectorStoreError {
  if (cause instanceof VectorStoreError) return cause;
  return new VectorStoreError(
    { code: "vector-store.index-unreadable", params: { index, details: firstLine(cause) } },
    { isRetryable: true, cause },
  );
}

export const damaged = (index: string, cause: unknown): VectorStoreError =>
  new VectorStoreError(
    { code: "vector-store.index-damaged", params: { index, details: firstLine(cause) } },
    { isRetryable: true, cause },
  );

export const failed = (index: string, cause: unknown, isRetryable: boolean): VectorStoreError =>
  new VectorStoreError(
    { code: "vector-store.index-failed", params: { index, details: firstLine(cause) } },
    { isRetryable, cause },
  );

export interface LanceRow {
  id: string;
  workspace_id: number;
  document_id: string;
  version: number;
  [column: string]: unknown;
}

export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const wholeNumber = (workspaceId: number): number => {
  if (!Number.isSafeInteger(workspaceId)) throw invalidCall(`Not a workspace id: ${workspaceId}`);
  return workspaceId;
};
export const tenant = (workspaceId: number): string => `workspace_id = ${wholeNumber(workspaceId)}`;

/** What keeps parts of a table in memory. */
export interface TableListener extends ChangeListener {
  /** Before rows with these ids are replaced, in the turn of the write. */
  replacing?(table: Table, rows: readonly LanceRow[]): Promise<void>;
  /** Called after compaction, still with exclusive access. */
  optimized?(table: Table): Promise<void>;
}

/** Filter for a workspace, or for some of its documents. */
export const ofDocuments = (workspaceId: number, documentIds?: readonly string[]): string =>
  documentIds
    ? `${tenant(workspaceId)} AND document_id IN (${[...documentIds, ""].map(quote).join(", ")})`
    : tenant(workspaceId);

/** Filter for any of several workspaces, at least one. */
export const inWorkspaces = (workspaceIds: readonly number[]): string =>
  workspaceIds.length === 1
    ? tenant(workspaceIds[0]!)
    : `workspace_id IN (${workspaceIds.map(wholeNumber).join(", ")})`;

export const deletionFilter = ({ workspaceId, documentIds, exceptVersion }: Deletion): string =>
  ofDocuments(workspaceId, documentIds) +
  (exceptVersion === undefined ? "" : ` AND version != ${Math.trunc(exceptVersion)}`);
