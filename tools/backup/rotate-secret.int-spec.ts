import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { authService } from "@carrel/auth";
import {
  deriveKey,
  instanceShape,
  loadConfig,
  nextKeyFile,
  Secret,
  type InstanceConfig,
} from "@carrel/config";
import {
  authenticate,
  createInstanceApiKey,
  instancePrincipal,
  publicPrincipal,
  type Scope,
} from "@carrel/contracts";
import { migrate, SecretBox } from "@carrel/database";
import {
  createSharedInfrastructure,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import {
  guardedFolder,
  poll,
  startTestRedis,
  testDatabase,
  type TestDatabase,
  type TestRedis,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { reseal } from "./reseal.ts";
import { moveInstance, rotateKeyFile } from "./rotate-secret.ts";
import { databases } from "./service-databases.ts";

const [first, second] = ["first-".repeat(6), "second-".repeat(6)].map(
  (text) => new Secret(text),
) as [Secret, Secret];
const schemas = databases.map(({ schema }) => schema);
let redis: TestRedis;
const home = guardedFolder("carrel-rotation-");
const shape: typeof instanceShape = Object.assign({}, authService.shape, instanceShape);
const configOf = (url: string): InstanceConfig =>
  loadConfig(shape, {
    CARREL_HOME: home,
    DATABASE_URL: url,
    REDIS_URL: redis.url,
    CARREL_LOG_LEVEL: "silent",
  });
const boxOf = (secret: Secret, ...others: Secret[]): SecretBox =>
  new SecretBox(deriveKey(secret, "columns"), ...others.map((each) => deriveKey(each, "columns")));

beforeAll(async () => {
  redis = await startTestRedis({ appendonly: false });
});
afterAll(() => redis?.stop());

describe("a rotation while services run", () => {
  const scope: Scope = { principal: publicPrincipal, workspace: null };
  const opened: { stop(): Promise<void> }[] = [];
  const failures: unknown[] = [];
  let answered = 0;
  let key: string;
  let own: TestDatabase;
  const withSecrets = (secret: Secret, other?: Secret): InstanceConfig => ({
    ...configOf(own.url),
    CARREL_SECRET: secret,
    ...(other && { CARREL_SECRET_OTHER: other }),
  });
  const start = async (...secrets: [Secret, Secret?]): Promise<RunningService> => {
    const service = await startService(authService, withSecrets(...secrets), {
      healthPort: false,
    });
    opened.push(service);
    return service;
  };
  const knowsKey = async (shared: SharedInfrastructure): Promise<boolean> => {
    const { client: requests } = shared.messaging;
    const { principal } = await requests.request(
      authenticate,
      { bearer: key, credential: "key" },
      { scope },
    );
    return principal.kind === "key";
  };
  /** A process that keeps using the API key until it is stopped. */
  const callFrom = (...secrets: [Secret, Secret?]) => {
    const shared = createSharedInfrastructure(withSecrets(...secrets), { inProcess: false });
    let isStopped = false;
    const calls = (async () => {
      while (!isStopped)
        await knowsKey(shared).then(
          (known) => (known ? answered++ : failures.push("unknown key")),
          (error: unknown) => failures.push(error),
        );
    })();
    const caller = {
      shared,
      stop: async () => {
        if (isStopped) return;
        isStopped = true;
        await calls;
        await shared.close();
      },
    };
    opened.push(caller);
    return caller;
  };
  const more = (): Promise<unknown> => {
    const goal = answered + 40;
    return poll(() => answered >= goal || failures.length > 0).toBe(true);
  };

  beforeAll(async () => {
    own = await testDatabase();
    // The others only have their tables.
    for (const each of databases) await migrate(own.url, each);
    const chat = new pg.Client({ connectionString: own.url });
    await chat.connect();
    await chat.query("INSERT INTO chat.hash_key (sealed) VALUES ($1)", [boxOf(first).seal("key")]);
    await chat.end();
  });
  afterAll(async () => {
    for (const each of opened.toReversed()) await each.stop();
    await own?.drop();
  });

  it("fails no request, and keeps API keys valid", async () => {
    await expect(moveInstance(withSecrets(second, first))).rejects.toThrow(
      "The keys of API keys, invites and links aren't kept yet",
    );
    const old = await start(first);
    const shared = createSharedInfrastructure(withSecrets(first), { inProcess: false });
    const created = await shared.messaging.client.request(
      createInstanceApiKey,
      { name: "rotation" },
      { scope: { principal: instancePrincipal, workspace: null } },
    );
    key = created.apiKey!.secret;
    await shared.close();

    // Each process accepts the next secret, too.
    const ready = await start(first, second);
    await old.stop();
    const before = callFrom(first, second);
    await more();
    await expect(moveInstance(withSecrets(second, first))).rejects.toThrow(
      "2 running processes use the previous secret",
    );
    // Each process uses it.
    const current = await start(second, first);
    const after = callFrom(second, first);
    await more();
    await ready.stop();
    await more();
    await before.stop();

    const moved = await moveInstance(withSecrets(second, first));
    expect(moved.map(({ column, resealed }) => [column, resealed])).toEqual(
      expect.arrayContaining([
        ["auth.hash_key.sealed", 1],
        ["auth.request_result.result", 1],
        ["chat.hash_key.sealed", 1],
      ]),
    );
    await more();
    // Logs in again with the new password.
    const sql = new pg.Client({ connectionString: own.url });
    await sql.connect();
    await sql.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [
      `${new URL(own.url).pathname.slice(1)}_auth`,
    ]);
    await sql.end();
    await more();

    // The previous secret is forgotten.
    const last = await start(second);
    await current.stop();
    await after.stop();
    const final = callFrom(second);
    await more();
    await final.stop();
    await last.stop();
    expect(failures).toEqual([]);
  });

  it("leaves nothing to the previous secret", async () => {
    await expect(start(first)).rejects.toThrow("belongs to an instance with another secret");
    const sql = new pg.Client({ connectionString: own.url });
    await sql.connect();
    const found = await reseal(sql, schemas, boxOf(first));
    await sql.end();
    expect(sum(found, "current")).toBe(0);
    expect(sum(found, "unreadable")).toBeGreaterThan(2);
    const again = await moveInstance(withSecrets(second, first));
    expect(sum(again, "resealed")).toBe(0);
  });
});

describe("a key file", () => {
  it("is replaced at the end, and a start before that accepts both secrets", async () => {
    const own = await testDatabase();
    const config = { ...configOf(own.url), CARREL_HOME: join(home, "file") };
    const start = async (): Promise<void> => {
      const service = await startService(authService, config, { healthPort: false });
      await service.stop();
    };
    try {
      for (const each of databases) await migrate(own.url, each);
      await start();
      const file = join(config.CARREL_HOME, "secret.key");
      const previous = readFileSync(file, "utf8").trim();
      const sql = new pg.Client({ connectionString: own.url });
      await sql.connect();
      await sql.query("INSERT INTO chat.hash_key (sealed) VALUES ($1)", [
        boxOf(new Secret(previous)).seal("key"),
      ]);
      await sql.end();
      // Another secret from the environment would be recorded, but not installed.
      await expect(rotateKeyFile({ ...config, CARREL_SECRET_OTHER: first })).rejects.toThrow(
        "CARREL_SECRET_OTHER is set, but CARREL_SECRET isn't",
      );
      expect(existsSync(nextKeyFile(config))).toBe(false);
      // Killed after the database was moved.
      writeFileSync(nextKeyFile(config), second.reveal());
      await moveInstance({
        ...config,
        CARREL_SECRET: second,
        CARREL_SECRET_OTHER: new Secret(previous),
      });
      await start();
      await rotateKeyFile(config);
      expect(readFileSync(file, "utf8")).toBe(second.reveal());
      expect(existsSync(nextKeyFile(config))).toBe(false);
      await start();
      const kept = readdirSync(config.CARREL_HOME).filter((name) => name.includes("previous"));
      expect(kept).toHaveLength(1);
      expect(readFileSync(join(config.CARREL_HOME, kept[0]!), "utf8").trim()).toBe(previous);
      // From beginning to end.
      await rotateKeyFile(config);
      expect(readFileSync(file, "utf8").trim()).not.toBe(second.reveal());
      await start();
      await expect(
        startService(authService, { ...config, CARREL_SECRET: second }, { healthPort: false }),
      ).rejects.toThrow("belongs to an instance with another secret");
    } finally {
      await own.drop();
    }
  });
});

const sum = <K extends string>(rows: readonly Record<K, number>[], of: K): number =>
  rows.reduce((total, row) => total + row[of], 0);
