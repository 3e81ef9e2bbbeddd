import pg from "pg";
import { DataSource, type MigrationInterface } from "typeorm";
import { dataSourceOptions, type ServiceDatabase } from "./data-source.ts";

/**
 * Recorded for each schema in the transaction that restores it, until the files and Redis are
 * restored too; services don't start before that.
 */
export interface UnfinishedRestore {
  /** Suffix of the names of the replaced data. */
  suffix: string;
  /** When the backup was made; identifies it. */
  backup: string;
  /** Whether there was no data to replace. */
  wasEmpty: boolean;
}

const mark = "carrel restore: ";

class UnfinishedRestoreError extends Error {
  override readonly name = "UnfinishedRestoreError";
  constructor() {
    super(
      "A restore into this database was interrupted after the database itself.\nWhat to do: run the same ./carrel restore command again, which does the rest, then start Carrel.",
    );
  }
}

type Queries = Pick<pg.Client, "query">;

/** Null if the schema doesn't exist or no restore is unfinished. */
export async function readUnfinishedRestore(
  client: Queries,
  schema: string,
): Promise<UnfinishedRestore | null> {
  const { rows } = await client.query<{ note: string | null }>(
    "SELECT obj_description(to_regnamespace($1), 'pg_namespace') AS note",
    [schema],
  );
  const note = rows[0]?.note ?? "";
  return note.startsWith(mark) ? (JSON.parse(note.slice(mark.length)) as UnfinishedRestore) : null;
}

/** The statement that records it; null removes the record. */
export const noteUnfinishedRestore = (schema: string, restore: UnfinishedRestore | null): string =>
  `COMMENT ON SCHEMA ${pg.escapeIdentifier(schema)} IS ${
    restore === null ? "NULL" : pg.escapeLiteral(mark + JSON.stringify(restore))
  }`;

/**
 * Creates the schema and runs pending migrations under a session advisory lock: several replicas
 * may call it at once, and each migration runs once. Returns the names of the migrations it ran.
 * The lock is released when the session ends, even after a crash. Throws UnfinishedRestoreError.
 */
export async function migrate(url: string, database: ServiceDatabase): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `carrel ${database.schema} migrate`,
  });
  await client.connect();
  try {
    if (await readUnfinishedRestore(client, database.schema)) throw new UnfinishedRestoreError();
    // A second start has nothing to do, and TypeORM takes 50 ms to find that out.
    if (await isMigrated(client, database)) return [];
    await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [
      `carrel migrate ${database.schema}`,
    ]);
    // A service's own role already owns its schema and may not create schemas.
    const { rowCount } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [
      database.schema,
    ]);
    if (!rowCount) await client.query(`CREATE SCHEMA ${client.escapeIdentifier(database.schema)}`);
    const options = dataSourceOptions(url, database, 2);
    const source = await new DataSource({
      ...options,
      extra: { ...(options as { extra: object }).extra, statement_timeout: 0 },
    } as typeof options).initialize();
    try {
      return (await source.runMigrations()).map((migration) => migration.name);
    } finally {
      await source.destroy();
    }
  } finally {
    await client.end();
  }
}

/** Whether all migrations have run. */
async function isMigrated(client: pg.Client, database: ServiceDatabase): Promise<boolean> {
  const table = `${client.escapeIdentifier(database.schema)}.migration`;
  const {
    rows: [found],
  } = await client.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    table,
  ]);
  if (!found?.exists) return false;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table}`);
  const ran = new Set(rows.map(({ name }) => name));
  return database.migrations.every((migration) => {
    const { name = migration.name } = new (migration as new () => MigrationInterface)();
    return ran.has(name);
  });
}
