import type { Index, Table } from "@lancedb/lancedb";
import type { Schema, Table as Batch } from "apache-arrow";
import { isConflict } from "./lance-fault.ts";
import type { LanceHome } from "./lance-home.ts";

/**
 * Called by the writer. Registers the table once it is complete: a table left incomplete by a
 * killed process is completed later and doesn't count as lost.
 */
export async function createTable(
  home: LanceHome,
  name: string,
  schema: Schema,
  indexes: Record<string, Index>,
): Promise<Table> {
  await home.noteLoss(name);
  const table = await home.connection.createEmptyTable(name, schema, {
    mode: "create",
    existOk: true,
  });
  const present = new Set((await table.listIndices()).flatMap((index) => index.columns));
  for (const [column, config] of Object.entries(indexes))
    if (!present.has(column)) await table.createIndex(column, { config });
  await home.registerTable(name);
  return table;
}

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
