import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import pg from "pg";

const root = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), "carrel-migration-"));
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

/** Runs the fixture service's main, without Redis. */
const start = (args: string[], urls: Record<string, string>) =>
  run(
    process.execPath,
    [
      "--import",
      join(root, "tools/swc-hook.mjs"),
      "--conditions=@carrel/source",
      join(import.meta.dirname, "fixture-main.ts"),
      ...args,
    ],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        CARREL_HOME: home,
        CARREL_SECRET: "a secret for tests only, 32 characters",
        REDIS_URL: "redis://127.0.0.1:1",
        ...urls,
      },
    },
  );
const migrate = (url: string) => start(["migrate"], { DATABASE_URL: url });

it("prepares the database without starting the service, also twice and at the same time", async () => {
  await Promise.all([migrate(database.url), migrate(database.url)]);
  const { stdout } = await migrate(database.url);
  expect(stdout).toContain("database is up to date");
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ names: number; distinct: number }>(
      `SELECT count(*)::int AS names, count(DISTINCT name)::int AS distinct FROM fixture.migration`,
    );
    expect(rows[0]!.names).toBeGreaterThan(0);
    expect(rows[0]!.distinct).toBe(rows[0]!.names);
  } finally {
    await client.end();
  }
});

it("ends with an error if the database can't be reached", async () => {
  await expect(migrate("postgres://carrel:pw@127.0.0.1:1/carrel")).rejects.toMatchObject({
    code: 1,
  });
});

it("makes the service's own user with the owner's URL, without which the service can't log in", async () => {
  const fresh = await testDatabase();
  const url = new URL(fresh.url);
  url.username = `${url.pathname.slice(1)}_fixture_login`;
  url.password = "of the service alone";
  try {
    await expect(start([], { DATABASE_URL: url.href })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(
          `^PostgreSQL doesn't let the user ${url.username} .*\\n.*own user of the service fixture`,
        ),
      ),
    });
    await start(["migrate"], { DATABASE_URL: url.href, DATABASE_OWNER_URL: fresh.url });
    const { stdout } = await migrate(url.href);
    expect(stdout).toContain("database is up to date");
    expect(stdout).not.toContain("may not create roles");
  } finally {
    await fresh.drop();
  }
});
