import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instanceShape, loadConfig } from "@carrel/config";
import { conditionsChannel } from "@carrel/contracts";
import { createDataSource, recordBackup } from "@carrel/database";
import { toUnavailable } from "@carrel/messaging";
import { createLogger, Health, metrics } from "@carrel/observability";
import { poll, testDatabase, type TestDatabase } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { watchStores } from "../src/index.ts";

const home = mkdtempSync(join(tmpdir(), "carrel-watch-"));
let database: TestDatabase;
let source: DataSource;
let health: Health;
let published: unknown[];
let logged: unknown[];
let stop: () => void = () => undefined;
beforeAll(async () => {
  database = await testDatabase();
  source = createDataSource(database.url, { schema: "public", entities: [], migrations: [] });
  await source.initialize();
  await source.query(`CREATE FUNCTION refuse_space() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
});
afterAll(async () => {
  stop();
  await source?.destroy();
  await database?.drop();
  rmSync(home, { recursive: true });
});
beforeEach(() => {
  stop();
  health = new Health();
  health.setReady(true);
  published = [];
  logged = [];
  stop = watchStores({
    service: "workspace",
    config: loadConfig(instanceShape, {
      CARREL_HOME: home,
      DATABASE_URL: database.url,
      REDIS_URL: "redis://127.0.0.1:1",
    }),
    health,
    broadcast: {
      // Redis takes it, but doesn't answer.
      announce: (channel, payload) => {
        published.push({ channel, payload });
        return Promise.withResolvers<void>().promise;
      },
    },
    logger: Object.assign(createLogger("test", "silent"), {
      warn: ({ degraded }: { degraded: unknown }) => logged.push(degraded),
      info: () => logged.push({}),
    }),
    dataSource: source,
    watchesBackups: true,
    everyMs: 100,
  });
});

const announced = (conditions: object): unknown =>
  expect.objectContaining({
    channel: conditionsChannel,
    payload: expect.objectContaining({
      conditions: expect.objectContaining(conditions) as object,
    }) as object,
  });

it("a full disk of PostgreSQL is told until a write succeeds, and readiness stays", async () => {
  await source.query(
    "CREATE EVENT TRIGGER full_disk ON ddl_command_start EXECUTE FUNCTION refuse_space()",
  );
  const error: unknown = await source.query("CREATE TABLE tide (id int)").catch((e: unknown) => e);
  expect(toUnavailable(error)).toEqual({ code: "request.storage-full" });
  await poll(() => health.readyz()).toMatchObject({
    ok: true,
    degraded: { postgresql: "disk-full" },
  });
  expect(published).toContainEqual(announced({ postgresql: "disk-full" }));
  await source.query("DROP EVENT TRIGGER full_disk");
  await poll(() => "postgresql" in health.conditions).toBe(false);
});

it("a store that doesn't answer is told to admins, and in metrics", async () => {
  health.addCheck("redis", () => Promise.reject(new Error("connect ECONNREFUSED")));
  await poll(() => published).toContainEqual(announced({ redis: "unreachable" }));
  expect(await metrics.render()).toMatch(/carrel_store_reachable\{store="redis"\} 0\n/);
});

it("looks again while Redis doesn't answer, and logs each change once", async () => {
  let isAway = true;
  health.addCheck("redis", () => (isAway ? Promise.reject(new Error("away")) : Promise.resolve()));
  await poll(() => published.length).toBeGreaterThan(2);
  expect(logged).toEqual([{ redis: "unreachable" }]);
  await recordBackup(database.url, new Date(Date.now() - 2 * 86_400_000));
  await poll(() => logged).toEqual([
    { redis: "unreachable" },
    { redis: "unreachable", backup: "backup-old" },
  ]);
  isAway = false;
  await recordBackup(database.url, new Date());
  await poll(() => logged.at(-1)).toEqual({});
});

it("tells how old the last backup is, and how much space folders have", async () => {
  expect(health.conditions).not.toHaveProperty("backup");
  const old = new Date(Date.now() - 2 * 86_400_000);
  await recordBackup(database.url, old);
  await poll(() => health.conditions).toMatchObject({ backup: "backup-old" });
  const text = await metrics.render();
  expect(text).toContain(`carrel_backup_last_success_timestamp_seconds ${old.getTime() / 1_000}\n`);
  expect(text).toMatch(/carrel_folder_free_bytes\{folder="data"\} \d+\n/);
  expect(text).toMatch(/carrel_folder_size_bytes\{folder="data"\} \d+\n/);
  await recordBackup(database.url, new Date());
  await poll(() => "backup" in health.conditions).toBe(false);
});
