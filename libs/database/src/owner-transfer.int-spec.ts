import { testDatabase, type TestDatabase, poll } from "@carrel/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "@jest/globals";
import type { DataSource, MigrationInterface, QueryRunner } from "typeorm";
import { createDataSource, type ServiceDatabase } from "./data-source.ts";
import { migrate } from "./migrate.ts";
import { OwnerTransfer, ownerTransferMigration } from "./owner-transfer.ts";

class CreateThings1795220000000 implements MigrationInterface {
  readonly name = "CreateThings1795220000000";
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE things.note (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id integer, created_at timestamptz NOT NULL DEFAULT now())`,
    );
    await runner.query(
      `CREATE TABLE things.picture (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner integer, made timestamptz NOT NULL DEFAULT now())`,
    );
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE things.note, things.picture");
  }
}
const things: ServiceDatabase = {
  schema: "things",
  entities: [],
  migrations: [CreateThings1795220000000, ownerTransferMigration("things")],
};
const tables = [
  { table: "note", ownerColumn: "user_id", createdColumn: "created_at" },
  { table: "picture", ownerColumn: "owner", createdColumn: "made" },
];

const createTransfer = (beforeBatch?: () => Promise<void>): OwnerTransfer =>
  new OwnerTransfer(source, {
    schema: "things",
    tables,
    batchSize: 10,
    ...(beforeBatch ? { beforeBatch } : {}),
    onError: (error) => errors.push(error),
  });

let database: TestDatabase;
let source: DataSource;
const errors: unknown[] = [];
beforeAll(async () => {
  database = await testDatabase();
  await migrate(database.url, things);
  source = await createDataSource(database.url, things, { poolSize: 6 }).initialize();
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});
beforeEach(async () => {
  await source.query("TRUNCATE things.note, things.picture, things.owner_transfer");
});
afterEach(() => expect(errors).toEqual([]));

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const count = async (where: string): Promise<number> =>
  (
    await source.query<{ n: number }[]>(
      `SELECT (
        (SELECT count(*) FROM things.note n(id, owner, made) WHERE ${where})
          + (SELECT count(*) FROM things.picture WHERE ${where})
      )::int AS n`,
    )
  )[0]!.n;
const isDone = async (): Promise<boolean> =>
  (
    await source.query<{ done: boolean }[]>(
      "SELECT done_at IS NOT NULL AS done FROM things.owner_transfer",
    )
  )[0]!.done;
const fill = async (rows: number, secondsAgo: number): Promise<void> => {
  for (const [table, column] of [
    ["note", "created_at"],
    ["picture", "made"],
  ])
    await source.query(
      `INSERT INTO things."${table}" ("${column}") SELECT now() - $1 * interval '1 second' FROM generate_series(1, $2)`,
      [secondsAgo, rows],
    );
};

it("transfers rows without an owner up to a minute after the switch, and nothing else", async () => {
  await fill(55, 4_000);
  await fill(3, 260);
  await fill(4, 100);
  await source.query(
    "INSERT INTO things.note (user_id, created_at) VALUES (7, now() - interval '1 day')",
  );
  const transfer = createTransfer();
  await transfer.start(1, ago(300));
  await poll(() => isDone()).toBe(true);
  expect(await count("owner = 1")).toBe(2 * 58);
  expect(await count("owner is null")).toBe(2 * 4);
  expect(await count("owner = 7")).toBe(1);
  // A repeated or later start has no effect.
  await transfer.start(2, ago(0));
  await transfer.resume();
  await transfer.stop();
  expect(await count("owner is null")).toBe(2 * 4);
  expect(await count("owner = 2")).toBe(0);
});

it("sweeps once more for rows of requests in flight", async () => {
  await fill(12, 10);
  const transfer = createTransfer();
  await transfer.start(1, ago(0));
  await poll(() => count("owner = 1")).toBe(24);
  await transfer.stop();
  expect(await isDone()).toBe(false);
  await fill(2, -5);
  await fill(1, -70);
  await source.query(`UPDATE things.note SET created_at = created_at - interval '2 minutes'`);
  await source.query(`UPDATE things.picture SET made = made - interval '2 minutes'`);
  await source.query(`UPDATE things.owner_transfer SET at = at - interval '2 minutes'`);
  const next = createTransfer();
  await next.resume();
  await poll(() => isDone()).toBe(true);
  expect(await count("owner = 1")).toBe(28);
  expect(await count("owner is null")).toBe(2);
});

it("resumes after being stopped between two batches", async () => {
  await fill(200, 1_000);
  const third = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  let batches = 0;
  const first = createTransfer(async () => {
    if ((batches += 1) < 3) return;
    third.resolve();
    await going.promise;
  });
  await first.start(1, ago(500));
  await third.promise;
  const stopped = first.stop();
  going.resolve();
  await stopped;
  expect(await count("owner = 1")).toBe(30);
  expect(await isDone()).toBe(false);
  const replicas = [createTransfer(), createTransfer()];
  await Promise.all(replicas.map((replica) => replica.resume()));
  await poll(() => isDone()).toBe(true);
  await Promise.all(replicas.map((replica) => replica.stop()));
  expect(await count("owner = 1")).toBe(400);
});

it("waits for a row locked by another transaction and skips a deleted one", async () => {
  await fill(25, 1_000);
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  await runner.query(
    "UPDATE things.note SET created_at = created_at WHERE id IN (SELECT min(id) FROM things.note)",
  );
  await runner.query("DELETE FROM things.note WHERE id IN (SELECT max(id) FROM things.note)");
  const transfer = createTransfer();
  await transfer.start(1, ago(500));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await runner.commitTransaction();
  await runner.release();
  await poll(() => isDone()).toBe(true);
  await transfer.stop();
  expect(await count("owner = 1")).toBe(49);
  expect(await count("owner is null")).toBe(0);
});
