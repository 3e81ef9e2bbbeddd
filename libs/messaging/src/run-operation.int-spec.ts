import { operations } from "@carrel/contracts";
import { createLogger } from "@carrel/observability";
import { testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { DataSource } from "typeorm";
import { z } from "zod";
import { runOperation, toUnavailable } from "./run-operation.ts";

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

const faultOf = (
  work: Promise<unknown>,
  idempotency: "none" | "natural" = "natural",
): Promise<unknown> =>
  work.then(
    () => "none",
    (error: unknown) => toUnavailable(error, idempotency),
  );

it("recognises a pool without a free connection", async () => {
  const runner = source.createQueryRunner();
  await runner.connect();
  expect(await faultOf(source.query("SELECT 1"))).toEqual({ code: "request.queue-full" });
  expect(await faultOf(source.transaction((manager) => manager.query("SELECT 1")))).toEqual({
    code: "request.queue-full",
  });
  await runner.release();
});

it("recognises a statement that exceeded its time limit, and leaves other errors alone", async () => {
  expect(await faultOf(source.query("SELECT pg_sleep(5)"))).toEqual({
    code: "request.timed-out",
  });
  expect(await faultOf(source.query("SELECT 1 / 0"))).toBeNull();
  expect(toUnavailable(new Error("out of luck"))).toBeNull();
});

it("recognises a server that ends the connection, and tells what must not run twice", async () => {
  const ended = (): Promise<unknown> =>
    source.query("SELECT pg_terminate_backend(pg_backend_pid())");
  expect(await faultOf(ended())).toEqual({ code: "request.unavailable" });
  expect(await faultOf(ended(), "none")).toEqual({ code: "request.connection-lost" });
});

it("recognises a server that can't be reached", async () => {
  const url = new URL(database.url);
  url.port = "1";
  const fault = { code: "request.unavailable" };
  expect(await faultOf(connectTo(url), "none")).toEqual(fault);
  url.hostname = "unknown.invalid";
  expect(await faultOf(connectTo(url), "none")).toEqual(fault);
  url.hostname = encodeURIComponent("/nowhere");
  expect(await faultOf(connectTo(url), "none")).toEqual(fault);
});

it("recognises a refused login, such as during a rotation of passwords", async () => {
  const url = new URL(database.url);
  url.username = "unknown_role";
  expect(await faultOf(connectTo(url), "none")).toEqual({ code: "request.unavailable" });
});

async function connectTo(url: URL): Promise<void> {
  await new DataSource({ type: "postgres", url: url.href }).initialize();
}

it.each([
  ["natural", [{ reply: 2 }, 2]],
  ["none", [{ error: { code: "request.connection-lost" } }, 1]],
] as const)(
  "runs an operation again on a new connection only if that is safe (idempotency %s)",
  async (idempotency, expected) => {
    const operation = operations.find((each) => each.idempotency === idempotency)!;
    let runs = 0;
    const request = {
      head: {
        id: "1",
        requestId: "1",
        deadline: Date.now() + 10_000,
        scope: { principal: { kind: "system", userId: null } },
      },
      handler: {
        operation: { ...operation, input: z.object({}), output: z.number() },
        run: async () => {
          runs += 1;
          if (runs === 1) await source.query("SELECT pg_terminate_backend(pg_backend_pid())");
          await source.query("SELECT 1");
          return runs;
        },
      },
      input: {},
    };
    const options = { write: (output: unknown) => output, logger: createLogger("test", "silent") };
    const answer = await runOperation(request as never, options);
    expect([answer, runs]).toEqual(expected);
  },
);
