import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { SecretBox } from "@carrel/database";
import {
  BootError,
  Broadcast,
  eventMessage,
  Handle,
  jobMessage,
  Outbox,
  RequestClient,
  Streams,
} from "@carrel/messaging";
import {
  poll,
  startTestRedis,
  testDatabase,
  type TestDatabase,
  type TestRedis,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Controller, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { Redis } from "ioredis";
import pg from "pg";
import { DataSource } from "typeorm";
import {
  CONFIG,
  createSharedInfrastructure,
  InfrastructureModule,
  LOGGER,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "../src/index.ts";
import {
  scope,
  hello,
  name,
  flaky,
  happened,
  attempts,
  heard,
  chat,
  workspace,
} from "./hello-services.ts";

describe("services of one process", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let raw: Redis;
  let config: InstanceConfig;
  let shared: SharedInfrastructure;
  let running: RunningService[];
  const home = mkdtempSync(join(tmpdir(), "carrel-runtime-"));

  beforeAll(async () => {
    [database, redis] = await Promise.all([testDatabase(), startTestRedis()]);
    config = loadConfig(instanceShape, {
      CARREL_HOME: home,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      CARREL_LOG_LEVEL: "silent",
    });
    shared = createSharedInfrastructure(config);
    raw = new Redis(redis.url);
    running = await Promise.all(
      [chat, workspace].map((definition) =>
        startService(definition, config, {
          shared,
          healthPort: 0,
          eventRetryMs: 300,
          watchMs: 200,
        }),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all(running?.map((service) => service.stop()) ?? []);
    await shared?.close();
    raw?.disconnect();
    await redis?.stop();
    await database?.drop();
    rmSync(home, { recursive: true, force: true });
  });

  it("call each other over shared connections", async () => {
    expect(await shared.messaging.client.request(hello, {}, { scope })).toEqual({
      text: "hello Carrel",
    });
    const names = ((await raw.client("LIST")) as string)
      .split("\n")
      .flatMap((line) => /name=(\S+)/.exec(line)?.[1] ?? [])
      // Without the secrets that the process accepts.
      .map((name) => name.split(":")[0]!);
    expect(names.toSorted()).toEqual(
      expect.arrayContaining([
        "carrel-commands",
        "carrel-events-chat",
        "carrel-jobs",
        "carrel-once",
        "carrel-rpc-chat",
        "carrel-rpc-workspace",
        "carrel-subscriber",
      ]),
    );
    // Exactly one blocking connection per service, per event consumer and per queue.
    expect(names.filter((connection) => connection.startsWith("carrel")).length).toBe(8);
  });

  it("serve health, readiness and metrics", async () => {
    const port = running[0]!.healthPort!;
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({
      ok: true,
      checks: { accepting: "ok", redis: "ok", postgresql: "ok" },
    });
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain("carrel_request_seconds_bucket");
    expect(metrics).toContain("nodejs_eventloop_lag_seconds");
    expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
  });

  it("use their own database role, limited to their schema", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ usename: string }>(
      `SELECT DISTINCT usename FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'carrel chat%'`,
    );
    expect(rows.map(({ usename }) => usename)).toEqual([
      `${new URL(database.url).pathname.slice(1)}_chat`,
    ]);
    await client.end();
  });

  it("retry a failed job with increasing delays, unless its error is final", async () => {
    for (const [index, mode] of (["later fine", "final", "never fine"] as const).entries())
      await shared.messaging.sender.send(
        jobMessage(flaky, { rowId: index, version: 1, payload: { mode } }),
      );
    await poll(() => attempts).toEqual({
      "later fine": [
        { attempt: 1, lastAttempt: false },
        { attempt: 2, lastAttempt: false },
      ],
      final: [{ attempt: 1, lastAttempt: false }],
      "never fine": [
        { attempt: 1, lastAttempt: false },
        { attempt: 2, lastAttempt: false },
        { attempt: 3, lastAttempt: true },
      ],
    });
  });

  it("redeliver an event after a failure, and dead-letter one that can't be handled", async () => {
    for (const mode of ["fine", "fails once", "final"] as const)
      await shared.messaging.sender.send(eventMessage(happened, { mode }));
    await poll(() => heard.toSorted()).toEqual(["fails once", "fails once", "final", "fine"]);
    await poll(async () => (await raw.xpending("events", "chat"))[0]).toBe(0);
    expect(await raw.xlen("events:dead")).toBe(1);
  });

  it("broadcast every event for cache invalidation", async () => {
    const received: unknown[] = [];
    const stop = shared.messaging.broadcast.on("event:fixture.happened", (payload) =>
      received.push(payload),
    );
    await poll(
      async () => (await raw.pubsub("NUMSUB", "broadcast:event:fixture.happened"))[1],
    ).toBe(1);
    await shared.messaging.sender.send(eventMessage(happened, { mode: "fine" }));
    await poll(() => received).toEqual([{ mode: "fine" }]);
    stop();
  });

  it("relay nothing from a rolled-back transaction", async () => {
    const source = new DataSource({
      type: "postgres",
      url: database.url,
      extra: { options: "-c search_path=chat" },
    });
    await source.initialize();
    heard.length = 0;
    const outbox = new Outbox("chat");
    await expect(
      source.transaction(async (manager) => {
        await outbox.add(manager, eventMessage(happened, { mode: "fine" }));
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    await source.transaction((manager) =>
      outbox.add(manager, eventMessage(happened, { mode: "fine" })),
    );
    await expect(
      source.transaction((manager) =>
        outbox.add(manager, eventMessage(happened, { mode: "unknown" as "fine" })),
      ),
    ).rejects.toThrow();
    await poll(() => heard).toEqual(["fine"]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard).toEqual(["fine"]);
    await source.destroy();
  });

  it("inject the infrastructure into every module, including an HTTP app", async () => {
    @Module({
      imports: [
        InfrastructureModule.register({
          config,
          logger: shared.logger("app"),
          shared: shared.messaging,
          secretBox: shared.secretBox,
        }),
      ],
    })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    for (const token of [CONFIG, LOGGER, RequestClient, Streams, Broadcast, SecretBox])
      expect(app.get(token)).toBeDefined();
    await app.close();
  });

  it("refuse to start with missing, duplicate or foreign handlers, and list all faults", async () => {
    @Controller()
    class Twice {
      @Handle(name) async first(): Promise<{ name: string }> {
        return { name: "1" };
      }
      @Handle(name) async second(): Promise<{ name: string }> {
        return { name: "2" };
      }
    }
    @Module({ controllers: [Twice] })
    class Broken {}
    const failure = await startService({ ...chat, module: Broken, database: undefined }, config, {
      shared,
      healthPort: false,
    }).then(
      () => null,
      (error: unknown) => error as BootError,
    );
    expect(failure).toBeInstanceOf(BootError);
    expect(failure!.faults).toEqual([
      "operation fixture.hello.get has no handler",
      "operation fixture.name.get has more than one handler",
      "operation fixture.name.get is handled here but declared for another service, or not at all",
      "job fixture.flaky has no handler",
      "event fixture.happened has no handler",
    ]);
  });

  it("check handlers before bootstrap hooks, and close their modules if a hook throws", async () => {
    const calls: string[] = [];
    const hooks = (fault?: Error) => ({
      provide: "HOOKS",
      useValue: {
        onApplicationBootstrap() {
          calls.push("bootstrap");
          if (fault) throw fault;
        },
        onModuleDestroy: () => void calls.push("destroy"),
        onApplicationShutdown: () => void calls.push("shutdown"),
      },
    });
    const start = (fault?: Error, contracts = chat.contracts) => {
      @Module({ providers: [hooks(fault)] })
      class Hooked {}
      const definition = { ...chat, module: Hooked, database: undefined, contracts };
      return startService(definition, config, { shared, healthPort: false });
    };
    await expect(start()).rejects.toBeInstanceOf(BootError);
    expect(calls).toEqual(["destroy", "shutdown"]);

    calls.length = 0;
    const fault = new Error("no model");
    const none = { operations: [], jobs: [], events: [] };
    await expect(start(fault, none)).rejects.toBe(fault);
    expect(calls).toEqual(["bootstrap", "destroy", "shutdown"]);
  });

  it("stop in bounded time while Redis is down, without an unhandled error", async () => {
    const other = await startTestRedis();
    const away = loadConfig(instanceShape, {
      CARREL_HOME: home,
      DATABASE_URL: database.url,
      REDIS_URL: other.url,
      CARREL_LOG_LEVEL: "silent",
    });
    const service = await startService(chat, away, { healthPort: 0, drainMs: 1_000 });
    await other.kill();
    await poll(async () => (await service.health.readyz()).ok).toBe(false);
    const started = Date.now();
    await service.stop();
    expect(Date.now() - started).toBeLessThan(60_000);
    await other.stop();
  });
});
