import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { DataSource } from "typeorm";
import { toOverload } from "./request-error.ts";

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  source = await new DataSource({
    type: "postgres",
    url: database.url,
    poolSize: 1,
    // The first limit also applies to connecting, which takes a while on a busy machine.
    extra: { connectionTimeoutMillis: 1_500, statement_timeout: 100 },
  }).initialize();
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

const overloadOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => "none", toOverload);

it("recognises a pool without a free connection", async () => {
  const runner = source.createQueryRunner();
  await runner.connect();
  expect(await overloadOf(source.query("SELECT 1"))).toEqual({ code: "request.queue-full" });
  expect(await overloadOf(source.transaction((manager) => manager.query("SELECT 1")))).toEqual({
    code: "request.queue-full",
  });
  await runner.release();
});

it("recognises a statement that exceeded its time limit, and leaves other errors alone", async () => {
  expect(await overloadOf(source.query("SELECT pg_sleep(5)"))).toEqual({
    code: "request.timed-out",
  });
  expect(await overloadOf(source.query("SELECT 1 / 0"))).toBeNull();
  expect(toOverload(new Error("out of luck"))).toBeNull();
});
