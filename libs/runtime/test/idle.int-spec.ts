import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  startTestRedis,
  testDatabase,
  waitFor,
  type TestDatabase,
  type TestRedis,
} from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import {
  createSharedInfrastructure,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "../src/index.ts";
import { chat, workspace } from "./hello-services.ts";

let database: TestDatabase;
let redis: TestRedis;
let shared: SharedInfrastructure;
let running: RunningService[];
const home = mkdtempSync(join(tmpdir(), "carrel-idle-"));
beforeAll(async () => {
  [database, redis] = await Promise.all([testDatabase(), startTestRedis()]);
  const config = loadConfig(instanceShape, {
    CARREL_HOME: home,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_LOG_LEVEL: "silent",
  });
  shared = createSharedInfrastructure(config);
  running = await Promise.all(
    [chat, workspace].map((definition) =>
      startService(definition, config, { shared, healthPort: false }),
    ),
  );
});
afterAll(async () => {
  await Promise.all(running?.map((service) => service.stop()) ?? []);
  await shared?.close();
  await redis?.stop();
  await database?.drop();
  rmSync(home, { recursive: true, force: true });
});

const commandCalls = (): Promise<Map<string, number>> =>
  shared.messaging.connections.commands
    .info("commandstats")
    .then(
      (text) =>
        new Map(
          [...text.matchAll(/cmdstat_([^:]+):calls=(\d+)/g)].map(([, name, calls]) => [
            name!,
            Number(calls),
          ]),
        ),
    );

it("sends about one command per second to Redis while idle, whatever the number of services", async () => {
  await pause(1_000);
  const before = await commandCalls();
  const started = performance.now();
  const since = async (): Promise<Map<string, number>> =>
    new Map(
      [...(await commandCalls())].map(([name, count]) => [name, count - (before.get(name) ?? 0)]),
    );
  // However long a busy machine takes for six pulses, nothing else may happen meanwhile.
  const calls = await waitFor(
    async () => {
      const counted = await since();
      return (counted.get("evalsha") ?? 0) >= 6 ? counted : null;
    },
    { intervalMs: 200 },
  );
  const seconds = (performance.now() - started) / 1000;
  const pulses = calls.get("evalsha")!;
  expect(pulses).toBeLessThanOrEqual(seconds * 1.5);
  // Commands that a pulse's script runs inside Redis: for two services' requests and one's events.
  expect(calls.get("get")).toBeLessThanOrEqual(pulses);
  // Each of the three groups without entries is checked every four or five seconds, possibly right
  // at the start.
  expect(calls.get("xpending")).toBeLessThanOrEqual(3 * (Math.floor(seconds / 4) + 1));
  const others = [...calls].filter(
    ([name]) => !["evalsha", "get", "xpending", "info"].includes(name),
  );
  expect(others.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(seconds);
});
