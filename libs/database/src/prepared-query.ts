import type { DataSource } from "typeorm";

/** The part of the driver's pool (pg's `Pool`) used here; TypeORM's own queries can't be named. */
interface NamedQueries {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/**
 * Runs a frequent query as a named statement, so it is planned once per connection instead of every
 * time. Each name must always have the same text.
 */
export async function preparedQuery<Row>(
  dataSource: DataSource,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const pool = (dataSource.driver as unknown as { master: NamedQueries }).master;
  return (await pool.query({ name, text, values })).rows as Row[];
}
