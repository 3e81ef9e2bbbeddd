import { poll, testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { createDataSource, withReservedConnections } from "./index.ts";

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  const things = { schema: "things", entities: [], migrations: [], reserves: true };
  source = await createDataSource(database.url, things, { poolSize: 3 }).initialize();
});
afterAll(async () => {
  await source?.destroy();
  await database?.drop();
});

it("keeps a third of the connections free for reserved work, and hands the others on", async () => {
  const gate = Promise.withResolvers<void>();
  const begun = [0, 1].map(() => Promise.withResolvers<void>());
  const held = begun.map(({ resolve }) =>
    source.transaction(async (manager) => {
      await manager.query("SELECT 1");
      resolve();
      await gate.promise;
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  const order: string[] = [];
  const waiting = [0, 1, 2].map(async () => {
    await source.query("SELECT 1");
    order.push("waiting");
  });
  for (let n = 0; n < 2; n++) {
    await withReservedConnections(() => source.query("SELECT 1"));
    order.push("reserved");
  }
  gate.resolve();
  await Promise.all([...held, ...waiting]);
  expect(order).toEqual(["reserved", "reserved", "waiting", "waiting", "waiting"]);
});

it("frees the places of failed statements, transactions and connections", async () => {
  for (let n = 0; n < 4; n++) {
    await expect(source.query("SELECT nothing")).rejects.toThrow();
    const failing = source.transaction(() => Promise.reject(new Error("rolled back")));
    await expect(failing).rejects.toThrow("rolled back");
    await expect(source.query("SELECT pg_terminate_backend(pg_backend_pid())")).rejects.toThrow();
    await poll(() =>
      source.query("SELECT 1").then(
        () => "answered",
        () => "lost",
      ),
    ).toBe("answered");
  }
});
