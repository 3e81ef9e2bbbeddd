import pg from "pg";
import { DataSource } from "typeorm";
import { dataSourceOptions, type ServiceDatabase } from "./data-source.ts";

/**
 * Creates the schema and runs pending migrations under a session advisory lock: several replicas
 * may call it at once, and each migration runs once. Returns the names of those it ran. The lock is
 * released when the session ends, even after a crash.
 */
export async function migrate(url: string, database: ServiceDatabase): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `carrel ${database.schema} migrate`,
  });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [
      `carrel migrate ${database.schema}`,
    ]);
    // A service's own role already owns its schema and may not create schemas.
    const { rowCount } = await client.query("select 1 from pg_namespace where nspname = $1", [
      database.schema,
    ]);
    if (!rowCount) await client.query(`create schema ${client.escapeIdentifier(database.schema)}`);
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
