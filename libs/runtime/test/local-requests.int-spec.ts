import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { CarrelError, servicePrincipal, type Scope } from "@carrel/contracts";
import { context } from "@carrel/observability";
import { poll, startTestRedis, type TestRedis } from "@carrel/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import {
  createSharedInfrastructure,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "../src/index.ts";
import {
  callersStorage,
  hold,
  LocalService,
  localService,
  meddle,
  refuse,
  report,
} from "./local-service.ts";

const scope: Scope = { principal: servicePrincipal, workspace: null };

let redis: TestRedis;
let raw: Redis;
let config: InstanceConfig;
const undo: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  redis = await startTestRedis();
  raw = new Redis(redis.url);
  config = loadConfig(instanceShape, {
    DATABASE_URL: "postgres://u:p@127.0.0.1:9/x",
    REDIS_URL: redis.url,
    CARREL_SECRET: "x".repeat(40),
    CARREL_LOG_LEVEL: "silent",
  });
});
afterEach(async () => {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
  await raw.flushall();
});
afterAll(async () => {
  raw?.disconnect();
  await redis?.stop();
});

async function shareProcess(inProcess: boolean): Promise<SharedInfrastructure> {
  const shared = createSharedInfrastructure(config, { inProcess });
  undo.push(() => shared.close());
  await shared.messaging.client.connect();
  return shared;
}
async function start(
  service: LocalService,
  shared: SharedInfrastructure,
  concurrency?: number,
): Promise<RunningService> {
  const running = await startService(localService(service, concurrency), config, {
    shared,
    healthPort: false,
    drainMs: 5_000,
  });
  undo.push(() => {
    service.release();
    return running.stop();
  });
  return running;
}
const failureOf = (work: Promise<unknown>): Promise<CarrelError> =>
  work.then(
    () => {
      throw new Error("answered");
    },
    (error: CarrelError) => error,
  );
/** Number of requests that went through Redis. */
const overRedis = async (): Promise<number> =>
  Number(/cmdstat_xadd:calls=(\d+)/.exec(await raw.info("commandstats"))?.[1] ?? 0);

describe.each([{ inProcess: true }, { inProcess: false }])(
  "requests to a service of the same process (inProcess: $inProcess)",
  ({ inProcess }) => {
    it("are answered, and go through Redis only if they have to", async () => {
      const [shared, service] = [await shareProcess(inProcess), new LocalService("here")];
      await start(service, shared);
      const before = await overRedis();
      const answer = shared.messaging.client.request(hold, { id: "one" }, { scope });
      // Within a process, it is a function call.
      if (inProcess) expect(service.started).toEqual(["one"]);
      await poll(() => service.started).toEqual(["one"]);
      service.release();
      expect(await answer).toEqual({ replica: "here" });
      expect((await overRedis()) - before).toBe(inProcess ? 0 : 1);
    });

    it("fail with the same codes", async () => {
      const shared = await shareProcess(inProcess);
      await start(new LocalService("here"), shared);
      const { client } = shared.messaging;
      const faultOf = async (work: Promise<unknown>): Promise<unknown> =>
        (await failureOf(work)).toFault();
      const make = (how: string): Promise<unknown> =>
        faultOf(client.request(refuse, { how: how as "bug" }, { scope }));
      expect(await make("nonsense")).toMatchObject({
        code: "request.invalid",
        params: { faults: expect.stringContaining("how: ") },
      });
      expect(await make("refusal")).toEqual({
        code: "request.body-too-deep",
        params: { limit: 3 },
        retryAfter: 7,
      });
      expect(await make("bug")).toEqual({ code: "request.failed" });
      expect(await make("wrong output")).toEqual({ code: "request.failed" });
      expect(await make("large output")).toEqual({ code: "request.reply-too-large" });
      expect(await faultOf(client.request(hold, { id: "x".repeat(300_000) }, { scope }))).toEqual({
        code: "request.too-large",
      });
      const robot = {
        principal: { ...servicePrincipal, kind: "robot" as "user" },
        workspace: null,
      };
      expect(await faultOf(client.request(hold, { id: "robot" }, { scope: robot }))).toEqual({
        code: "request.scope-unknown",
      });
    });

    it("share neither input, scope, reply nor async context with their handler", async () => {
      const [shared, service] = [await shareProcess(inProcess), new LocalService("here")];
      await start(service, shared);
      const at = new Date(0);
      const input = { list: [{ name: "the caller's", skipped: undefined }], at };
      const mine: Scope = { principal: { ...servicePrincipal }, workspace: null };
      const reply = await callersStorage.run("the caller's", () =>
        shared.messaging.client.request(meddle, input, { scope: mine }),
      );
      expect(input).toEqual({ list: [{ name: "the caller's" }], at });
      expect(mine.principal.role).toBe(servicePrincipal.role);
      // As JSON would convert it, on either path.
      expect(reply).toEqual({ list: [{ kept: at.toISOString() }], outside: null });
      (service.lastReply!.list[0] as { kept: string }).kept = "changed afterwards";
      expect(reply.list).toEqual([{ kept: at.toISOString() }]);
      const failure = await failureOf(
        shared.messaging.client.request(refuse, { how: "refusal" }, { scope }),
      );
      service.lastParams!.limit = 4;
      expect(failure.params).toEqual({ limit: 3 });
      expect(failure.cause).toBeUndefined();
    });

    it("continue the caller's request ID, trace and deadline, in the caller's name", async () => {
      const [shared, service] = [await shareProcess(inProcess), new LocalService("here")];
      await start(service, shared);
      const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
      const deadline = Date.now() + 9_000;
      const work = { requestId: "outer", actor: "someone", traceparent, deadline };
      const user = { ...servicePrincipal, kind: "user" as const, userId: 7 };
      const seen = await context.run(work, () =>
        shared.messaging.client.request(
          report,
          {},
          { scope: { principal: user, workspace: null } },
        ),
      );
      expect(seen).toEqual({
        work: { requestId: "outer", actor: "user:7", traceId: "a".repeat(32), deadline },
        context: { requestId: "outer", userId: 7, deadline, contract: report.name },
        isAborted: false,
      });
    });

    it("time out at their deadline, and are not run if it passes while they wait", async () => {
      const [shared, service] = [await shareProcess(inProcess), new LocalService("here")];
      await start(service, shared, 1);
      const begun = Date.now();
      const fails = (id: string, ms: number): Promise<{ code: string }> =>
        failureOf(
          shared.messaging.client.request(hold, { id }, { scope, deadline: Date.now() + ms }),
        );
      const runs = fails("runs", 3_000);
      await poll(() => service.started).toEqual(["runs"]);
      expect((await Promise.all([runs, fails("waits", 400)])).map(({ code }) => code)).toEqual([
        "request.timed-out",
        "request.unavailable",
      ]);
      expect(Date.now() - begun).toBeLessThan(20_000); // hold's own limit is 30 s
      service.release();
      const last = shared.messaging.client.request(hold, { id: "last" }, { scope });
      await poll(() => service.started).toEqual(["runs", "last"]);
      service.release();
      await last;
    });

    it("run in order, as many at once as the service allows", async () => {
      const [shared, service] = [await shareProcess(inProcess), new LocalService("here")];
      await start(service, shared, 8);
      const ids = Array.from({ length: 30 }, (_, index) => `${index}`);
      const answers = Promise.all(
        ids.map((id) => shared.messaging.client.request(hold, { id }, { scope })),
      );
      for (let done = 0; done < ids.length; done += 1) {
        await poll(() => service.held.size).toBeGreaterThan(0);
        service.releaseNext();
      }
      await answers;
      expect(service.started).toEqual(ids);
      expect(service.maxConcurrent).toBeGreaterThan(1);
      expect(service.maxConcurrent).toBeLessThanOrEqual(8);
    });
  },
);

describe("requests handled in process", () => {
  it("are rejected while 5,000 are waiting", async () => {
    const [shared, service] = [await shareProcess(true), new LocalService("here")];
    await start(service, shared, 4);
    const { client } = shared.messaging;
    const deadline = Date.now() + 8_000; // all must be sent by then
    const waiting = Array.from({ length: 5_000 }, (_, index) =>
      failureOf(client.request(hold, { id: `${index}` }, { scope, deadline })),
    );
    expect((await failureOf(client.request(hold, { id: "more" }, { scope }))).toFault()).toEqual({
      code: "request.queue-full",
      retryAfter: 1,
    });
    expect(new Set((await Promise.all(waiting)).map(({ kind }) => kind))).toEqual(
      new Set(["TIMEOUT", "UNAVAILABLE"]),
    );
    // Requests whose callers have left make room.
    const after = client.request(hold, { id: "after" }, { scope });
    service.release();
    await poll(() => service.started).toContain("after");
    service.release();
    expect(await after).toEqual({ replica: "here" });
    expect(service.started).not.toContain("more");
  });

  it("leave room for requests from other processes", async () => {
    const [shared, other] = [await shareProcess(true), await shareProcess(true)];
    const service = new LocalService("here");
    await start(service, shared, 8);
    const own = Array.from({ length: 20 }, (_, index) =>
      shared.messaging.client.request(hold, { id: `own ${index}` }, { scope }),
    );
    const foreign = other.messaging.client.request(hold, { id: "foreign" }, { scope });
    await poll(() => service.held.has("foreign")).toBe(true);
    expect(service.held.size).toBe(8);
    const releasing = setInterval(() => service.release(), 5);
    await Promise.all([...own, foreign]);
    clearInterval(releasing);
  });

  it("wait in Redis until the service has started", async () => {
    const [shared, service] = [await shareProcess(true), new LocalService("here")];
    const answer = shared.messaging.client.request(hold, { id: "early" }, { scope });
    await poll(() => raw.xlen("rpc:sealed:auth")).toBe(1);
    await start(service, shared);
    await poll(() => service.started).toEqual(["early"]);
    service.release();
    expect(await answer).toEqual({ replica: "here" });
  });

  it("finish when the service stops; those that have not started go to another replica", async () => {
    const [shared, other] = [await shareProcess(true), await shareProcess(true)];
    const [here, elsewhere] = [new LocalService("here"), new LocalService("elsewhere")];
    const running = await start(here, shared, 1);
    const ask = (id: string): Promise<{ replica: string }> =>
      shared.messaging.client.request(hold, { id }, { scope });
    const [first, second] = [ask("first"), ask("second")];
    await poll(() => here.started).toEqual(["first"]);
    await start(elsewhere, other);
    const stopped = running.stop();
    await poll(() => elsewhere.started).toEqual(["second"]);
    const third = ask("third");
    await poll(() => elsewhere.started).toEqual(["second", "third"]);
    here.release();
    elsewhere.release();
    expect(await Promise.all([first, second, third])).toEqual([
      { replica: "here" },
      { replica: "elsewhere" },
      { replica: "elsewhere" },
    ]);
    await stopped;
    expect(here.started).toEqual(["first"]);
  });

  it("are answered while Redis is down", async () => {
    const [shared, service] = [await shareProcess(true), new LocalService("here")];
    await start(service, shared);
    await redis.kill();
    const answer = shared.messaging.client.request(hold, { id: "alone" }, { scope });
    await poll(() => service.started).toEqual(["alone"]);
    service.release();
    expect(await answer).toEqual({ replica: "here" });
    await redis.restart({ keepData: true });
    await poll(() => raw.ping().catch(() => null)).toBe("PONG");
  });
});
