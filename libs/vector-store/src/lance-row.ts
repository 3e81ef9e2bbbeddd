import type { Table } from "@lancedb/lancedb";
import type { ChangeListener } from "./change-follower.ts";
import type { Deletion } from "./change-log.ts";
import { invalidCall } from "./vector-store.ts";

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

/** Keeps parts of a table in memory. */
export interface TableListener extends ChangeListener {
  /** Called before rows with these ids are replaced, in the same turn as the write. */
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
