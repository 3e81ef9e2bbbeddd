import type { DataSource, EntityManager } from "typeorm";

/**
 * Runs one statement and returns its rows, whatever the command (TypeORM returns `[rows, count]`
 * for UPDATE and DELETE).
 */
export async function queryRows<Row>(
  on: DataSource | EntityManager,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row[]> {
  const result: unknown = await on.query(sql, parameters);
  if (!Array.isArray(result)) return [];
  const isPair = result.length === 2 && Array.isArray(result[0]) && typeof result[1] === "number";
  return (isPair ? result[0] : result) as Row[];
}
