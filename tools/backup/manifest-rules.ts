import type { QueryRunner } from "typeorm";
import { DamagedBackupError } from "./entry-rules.ts";
import type { Manifest } from "./manifest.ts";
import { databases } from "./service-databases.ts";

/*
 * A restore runs with the database owner's rights, so its manifest must name nothing but what the
 * services' migrations create: no table, column or sequence of another program or of PostgreSQL.
 */

const schemas = databases.map(({ schema }) => schema);

const foreign = (what: string): DamagedBackupError =>
  new DamagedBackupError(
    `This isn't a backup that Carrel made: it contains ${what}, which isn't Carrel's.`,
  );

/** Refuses what can be refused before the database is touched. */
export function refuseForeignSchemas({ tables, sequences }: Manifest): void {
  const seen = new Set<string>();
  for (const { schema, table } of tables) {
    const name = `${schema}.${table}`;
    if (!schemas.includes(schema)) throw foreign(`the table ${name}`);
    if (seen.has(name))
      throw new DamagedBackupError(`The backup is damaged: it names the table ${name} twice.`);
    seen.add(name);
  }
  for (const { schema, name } of sequences)
    if (!schemas.includes(schema)) throw foreign(`the sequence ${schema}.${name}`);
}

/** Compares the manifest with what the migrations have created in this transaction. */
export async function refuseForeignTables(runner: QueryRunner, manifest: Manifest): Promise<void> {
  const created = (await runner.query(
    `SELECT n.nspname || '.' || c.relname AS name, c.relkind AS kind,
      array_agg(a.attname::text) AS columns
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'S') AND a.attgenerated = ''
    GROUP BY n.nspname, c.relname, c.relkind`,
    [schemas],
  )) as { name: string; kind: "r" | "S"; columns: string[] }[];
  const find = (kind: "r" | "S", name: string): string[] | undefined =>
    created.find((one) => one.kind === kind && one.name === name)?.columns;
  for (const { schema, table, columns } of manifest.tables) {
    const own = find("r", `${schema}.${table}`);
    if (own === undefined) throw foreign(`the table ${schema}.${table}`);
    const other = columns.find((column) => !own.includes(column));
    if (other !== undefined) throw foreign(`the column ${schema}.${table}.${other}`);
  }
  for (const { schema, name } of manifest.sequences)
    if (find("S", `${schema}.${name}`) === undefined)
      throw foreign(`the sequence ${schema}.${name}`);
}
