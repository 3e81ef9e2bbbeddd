import pg from "pg";
import type { DataSource } from "typeorm";

const table = "carrel_instance.backup";

/** Records that a backup was completed. For the role that owns the database. */
export async function recordBackup(url: string, at: Date): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "carrel backup" });
  await client.connect();
  try {
    await client.query(`CREATE SCHEMA IF NOT EXISTS carrel_instance;
      GRANT USAGE ON SCHEMA carrel_instance TO PUBLIC;
      CREATE TABLE IF NOT EXISTS ${table} (
        id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1), completed_at timestamptz NOT NULL);
      GRANT SELECT ON ${table} TO PUBLIC`);
    await client.query(
      `INSERT INTO ${table} (completed_at) VALUES ($1)
      ON CONFLICT (id) DO UPDATE SET completed_at = excluded.completed_at`,
      [at],
    );
  } finally {
    await client.end();
  }
}

/** When the last backup was completed; null if none was. */
export async function readLastBackup(dataSource: DataSource): Promise<Date | null> {
  const [found] = await dataSource.query<{ exists: boolean }[]>(
    "SELECT to_regclass($1) IS NOT NULL AS exists",
    [table],
  );
  if (!found?.exists) return null;
  const [row] = await dataSource.query<{ at: Date }[]>(`SELECT completed_at AS at FROM ${table}`);
  return row?.at ?? null;
}
