import type { Table } from "@lancedb/lancedb";
import { invalidCall } from "./store-fault.ts";

export interface LanceRow {
  id: string;
  workspace_id: number;
  document_id: string;
  version: number;
  [column: string]: unknown;
}

export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const tenant = (workspaceId: number): string => {
  if (!Number.isSafeInteger(workspaceId)) throw invalidCall(`Not a workspace id: ${workspaceId}`);
  return `workspace_id = ${workspaceId}`;
};

/** Notified about changes to a table. */
export interface TableListener {
  /** Called after our rows were written. `replaced`: some of the ids already existed. */
  commit?(rows: LanceRow[], replaced: boolean): void;
  /** Another process wrote or the table is gone: everything cached in memory is stale. */
  foreign(): void;
  /** Called after compaction, still with exclusive access. */
  optimized?(table: Table): Promise<void>;
}
