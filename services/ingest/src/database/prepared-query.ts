import type { DataSource } from "typeorm";

/** What this needs of the driver's pool (pg's `Pool`); TypeORM's own queries have no names. */
interface NamedQueries {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/**
 * A read that comes with every search: planned once for each connection, not each time. One name
 * stands for one text.
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
