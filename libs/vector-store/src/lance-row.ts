import type { Table } from "@lancedb/lancedb";
import type { ChangeListener } from "./change-follower.ts";
import { invalidCall } from "./store-fault.ts";

export interface LanceRow {
  id: string;
  workspace_id: number;
  document_id: string;
  version: number;
  [column: string]: unknown;
}

export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const wholeNumber = (workspaceId: number): number => {
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
