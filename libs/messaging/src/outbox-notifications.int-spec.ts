import { createLogger } from "@carrel/observability";
import { testDatabase, type TestDatabase, poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import pg from "pg";
import { OutboxNotifications } from "./outbox-notifications.ts";
import { outboxChannel } from "./outbox.ts";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await client?.end();
  await database?.drop();
});

class Service {
  readonly states: boolean[] = [];
  rows = 0;
  constructor(readonly schema: string) {}
  onListening(isListening: boolean): void {
    this.states.push(isListening);
  }
  onRows(): void {
    this.rows++;
  }
}
let notifications: OutboxNotifications;
const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  notifications = new OutboxNotifications(createLogger("test", "silent"));
});
function listen(schema: string): Service {
  const service = new Service(schema);
  stops.push(notifications.listen(() => database.url, schema, service));
  return service;
}
const notify = (schema: string) =>
  client.query("SELECT pg_notify($1, '')", [outboxChannel(schema)]);
const connections = async (): Promise<number[]> =>
  (
    await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'carrel outbox'",
    )
  ).rows.map(({ pid }) => pid);

it("announces the rows of each schema to its own listener, over one connection", async () => {
  const [chat, ingest] = [listen("chat"), listen("ingest")];
  await poll(() => [chat.states, ingest.states]).toEqual([[true], [true]]);
  const late = listen("auth");
  await poll(() => late.states).toEqual([true]);
  await notify("chat");
  await notify("auth");
  await poll(() => [chat.rows, late.rows]).toEqual([1, 1]);
  expect(ingest.rows).toBe(0);
  expect(await connections()).toHaveLength(1);
});

it("reports a lost connection, and reconnects once", async () => {
  const [chat, ingest] = [listen("chat"), listen("ingest")];
  await poll(() => [chat.states, ingest.states]).toEqual([[true], [true]]);
  await client.query("SELECT pg_terminate_backend($1)", [(await connections())[0]]);
  await poll(() => ingest.states.slice(0, 2)).toEqual([true, false]);
  const late = listen("auth"); // doesn't wait for the other listeners' next attempt
  await poll(() => [chat.states, ingest.states, late.states]).toEqual([
    [true, false, true],
    [true, false, true],
    [true],
  ]);
  // Longer than the pause before the next attempt.
  await new Promise((done) => setTimeout(done, 1_200));
  expect(await connections()).toHaveLength(1);
  await notify("ingest");
  await poll(() => ingest.rows).toBe(1);
});

it("closes the connection with the last listener", async () => {
  const chat = listen("chat");
  const other = listen("ingest");
  await poll(() => [chat.states, other.states]).toEqual([[true], [true]]);
  await stops.shift()!();
  await notify("ingest");
  await poll(() => other.rows).toBe(1);
  await stops.shift()!();
  await poll(() => connections()).toEqual([]);
});
