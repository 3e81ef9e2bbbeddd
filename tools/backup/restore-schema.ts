import { noteUnfinishedRestore, type ServiceDatabase } from "@carrel/database";
import type { MigrationInterface, QueryRunner } from "typeorm";
import type { Manifest } from "./manifest.ts";
import { databases } from "./service-databases.ts";

/** Sorted by the time in their names, which is the order in which TypeORM runs them. */
export function migrationsOf({
  migrations,
}: ServiceDatabase): { name: string; run: MigrationInterface }[] {
  return migrations
    .map((migration) => {
      const run = new (migration as new () => MigrationInterface)();
      return { name: run.name ?? migration.name, run };
    })
    .toSorted((one, other) => timeOf(one.name) - timeOf(other.name));
}
const timeOf = (name: string): number => Number(name.slice(-13));

export interface ForeignKey {
  schema: string;
  table: string;
  name: string;
  definition: string;
}

/** Moves the old schema aside and creates the backup's with the migrations that it had. */
export async function createSchema(
  runner: QueryRunner,
  database: ServiceDatabase,
  manifest: Manifest,
  suffix: string,
): Promise<void> {
  const { schema } = database;
  const [owner] = (await runner.query(
    `SELECT r.rolname AS name FROM pg_namespace n
    JOIN pg_roles r ON r.oid = n.nspowner
    WHERE n.nspname = $1`,
    [schema],
  )) as { name: string }[];
  if (owner) {
    const [{ count } = { count: "0" }] = (await runner.query(
      "SELECT count(*) FROM pg_tables WHERE schemaname = $1",
      [schema],
    )) as { count: string }[];
    if (count === "0") await runner.query(`DROP SCHEMA "${schema}" CASCADE`);
    else {
      await runner.query(noteUnfinishedRestore(schema, null));
      await runner.query(`ALTER SCHEMA "${schema}" RENAME TO "${schema}_${suffix}"`);
    }
  }
  await runner.query(`CREATE SCHEMA "${schema}"${owner ? ` AUTHORIZATION "${owner.name}"` : ""}`);
  // The same table that TypeORM creates, because TypeORM continues it.
  await asOwner(runner, schema, () =>
    runner.query(
      `CREATE TABLE "${schema}".migration (
        id serial PRIMARY KEY, timestamp bigint NOT NULL, name character varying NOT NULL
      )`,
    ),
  );
  const had = new Set(manifest.migrations[schema]);
  await runMigrations(
    runner,
    database,
    migrationsOf(database).filter(({ name }) => had.has(name)),
  );
}

export async function runMigrations(
  runner: QueryRunner,
  { schema }: ServiceDatabase,
  migrations: readonly { name: string; run: MigrationInterface }[],
): Promise<void> {
  if (migrations.length === 0) return;
  await asOwner(runner, schema, async () => {
    await runner.query(`SET LOCAL search_path = "${schema}", public`);
    for (const { name, run } of migrations) {
      await run.up(runner);
      await runner.query(`INSERT INTO "${schema}".migration (timestamp, name) VALUES ($1, $2)`, [
        timeOf(name),
        name,
      ]);
    }
    await runner.query("SET LOCAL search_path = DEFAULT");
  });
}

/** Runs work whose objects belong to the service's role, if it has one. */
async function asOwner(
  runner: QueryRunner,
  schema: string,
  work: () => Promise<unknown>,
): Promise<void> {
  await runner.query(
    `SELECT set_config('role', r.rolname, true) FROM pg_namespace n
    JOIN pg_roles r ON r.oid = n.nspowner
    WHERE n.nspname = $1`,
    [schema],
  );
  await work();
  await runner.query("SET LOCAL ROLE NONE");
}

export const listTables = (runner: QueryRunner): Promise<{ schema: string; table: string }[]> =>
  runner.query(
    `SELECT schemaname AS schema, tablename AS table FROM pg_tables WHERE schemaname = ANY($1)`,
    [databases.map(({ schema }) => schema)],
  );

/**
 * Empties the tables, whose migrations may have added rows, and suspends triggers and foreign keys
 * while rows arrive in any order. Returns the foreign keys.
 */
export async function prepareTables(runner: QueryRunner): Promise<ForeignKey[]> {
  const keys = (await runner.query(
    `SELECT n.nspname AS schema, c.relname AS table, k.conname AS name,
      pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE k.contype = 'f' AND n.nspname = ANY($1)`,
    [databases.map(({ schema }) => schema)],
  )) as ForeignKey[];
  for (const { schema, table, name } of keys)
    await runner.query(`ALTER TABLE "${schema}"."${table}" DROP CONSTRAINT "${name}"`);
  for (const { schema, table } of await listTables(runner)) {
    await runner.query(`ALTER TABLE "${schema}"."${table}" DISABLE TRIGGER USER`);
    await runner.query(`TRUNCATE "${schema}"."${table}"`);
  }
  return keys;
}
