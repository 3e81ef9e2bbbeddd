import { DataSource, type QueryRunner } from "typeorm";

/** The part of pg's `Pool` and `Client` used here; TypeORM's own queries can't be named. */
interface NamedQueries {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/**
 * Runs a frequent query as a named statement, so it is planned once per connection instead of every
 * time. Each name must always have the same text. With a query runner, it runs in its transaction.
 */
export async function preparedQuery<Row>(
  on: DataSource | QueryRunner,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const queries =
    on instanceof DataSource
      ? (on.driver as unknown as { master: NamedQueries }).master
      : ((await on.connect()) as NamedQueries);
  return (await queries.query({ name, text, values })).rows as Row[];
}
