import type { Index, Table } from "@lancedb/lancedb";
import type { Schema, Table as Batch } from "apache-arrow";
import type { LanceHome } from "./lance-home.ts";
import { isConflict } from "./lance-fault.ts";

/**
 * How long old table versions are kept: a reader in another process may still be reading their
 * files. Not longer, because every version check lists them all.
 */
const keepVersionsMs = 2 * 60_000;

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

/** Called by the writer. */
export async function dropTable(home: LanceHome, name: string): Promise<void> {
  await home.forgetTable(name);
  if ((await home.connection.tableNames()).includes(name)) await home.connection.dropTable(name);
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

/** Also indexes new rows and removes old versions. */
export async function compact(table: Table): Promise<void> {
  await retryConflicts(() =>
    table.optimize({ cleanupOlderThan: new Date(Date.now() - keepVersionsMs) }),
  );
}
