import type { Data, RecordBatch, Table, Utf8 } from "apache-arrow";

/**
 * Rows that a delete removes: all of a workspace, or only those of some documents or other
 * versions.
 */
export interface Deletion {
  workspaceId: number;
  documentIds?: readonly string[];
  exceptVersion?: number;
}

/** What one write changed in a table. `maintained`: changed files or indexes, but no rows. */
export type TableChange =
  | ({ kind: "added" } & AddedRows)
  | ({ kind: "deleted" } & Deletion)
  | { kind: "maintained" }
  | { kind: "cleared" };

interface AddedRows {
  rows: number;
  /** Whether rows with the same id may have existed, in any workspace. */
  isReplacing: boolean;
  /** Read from the log only when called. */
  read(): Table;
}

/** A change and the table's versions before and after it. */
export interface LoggedChange {
  from: number;
  to: number;
  change: TableChange;
}

/** A text column's values by row. */
export function textColumn(batch: RecordBatch, name: string): (row: number) => string {
  const column = batch.getChild(name);
  return (row) => String(column?.get(row));
}

/** A text column's values by row, as UTF-8. */
export function bytesColumn(batch: RecordBatch, name: string): (row: number) => Uint8Array {
  const { values, valueOffsets } = batch.getChild(name)!.data[0] as Data<Utf8>;
  return (row) => values.subarray(valueOffsets[row], valueOffsets[row + 1]);
}

export const integerColumn = (batch: RecordBatch, name: string): Int32Array =>
  batch.getChild(name)!.toArray() as Int32Array;
