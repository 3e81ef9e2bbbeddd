import { randomBytes } from "node:crypto";
import pg from "pg";
import { askServerOwner } from "./server-owner.ts";
import { startSharedPostgres } from "./shared-postgres.ts";

export interface TestDatabase {
  /** Superuser connection to a fresh, empty database. */
  readonly url: string;
  /** Drops the database and ends its connections. */
  drop(): Promise<void>;
}

let ownServer: Promise<string> | undefined;

/**
 * The run's PostgreSQL: the one Jest's main process owns, or outside such a run, one that this
 * process owns.
 */
const serverUrl = async (): Promise<string> =>
  (await askServerOwner("postgres")) ?? (ownServer ??= startSharedPostgres());

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a fresh database in the PostgreSQL server that all tests of a run share. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await serverUrl();
  const name = `test_${randomBytes(8).toString("hex")}`;
  await administer(server, `CREATE DATABASE ${name} STRATEGY file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
