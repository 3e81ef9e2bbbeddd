import type { Table } from "@lancedb/lancedb";
import type { Table as Batch } from "apache-arrow";
import { isConflict } from "./lance-fault.ts";

/** Another process may have committed first; the same write then succeeds on the new version. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= 5 || !isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20));
    }
  }
}

/** Writes the rows and returns how many of them replaced a row with the same id. */
export async function replaceRows(table: Table, rows: Batch): Promise<number> {
  const { numUpdatedRows } = await retryConflicts(() =>
    table.mergeInsert("id").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows),
  );
  return Number(numUpdatedRows);
}
