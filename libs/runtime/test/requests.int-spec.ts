import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { CarrelError } from "@carrel/contracts";
import { Signer } from "@carrel/messaging";
import { eventually } from "@carrel/testing";
import {
  createItem,
  echo,
  fail,
  nested,
  poison,
  record,
  recordNatural,
  scope,
} from "./fixture-service.ts";
import { FixtureInstance } from "./fixture-instance.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: unknown) => (error instanceof CarrelError ? error.code : String(error)),
  );

describe("requests between processes", () => {
  let instance: FixtureInstance;
  let redis: Redis;
  beforeAll(async () => {
    instance = await FixtureInstance.start(2);
    redis = new Redis(instance.redis.url);
  });
  afterAll(async () => {
    redis?.disconnect();
    await instance?.stop();
  });
  beforeEach(async () => {
    await instance.sql.query("truncate run, item restart identity");
  });
  const client = () => instance.caller.messaging.client;
  const pids = () =>
    instance.replicas
      .filter(({ child }) => child.exitCode === null && child.signalCode === null)
      .map(({ pid }) => pid);

  it("shares the load between two replicas and handles each request once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        client().request(record, { id: `r${index}`, delayMs: 2 }, { scope }),
      ),
    );
    const byReplica = pids().map((pid) => answers.filter((answer) => answer.pid === pid).length);
    expect(byReplica.reduce((sum, count) => sum + count)).toBe(400);
    for (const count of byReplica) expect(count).toBeGreaterThan(60);
    expect(await instance.count("run")).toEqual({ rows: 400, distinct: 400 });
    await eventually(async () => expect(await redis.xlen("rpc:auth")).toBe(0));
  });

  it("answers bad input, refusals, bugs and invalid or oversized output with a code and no internals", async () => {
    const failure = (work: Promise<unknown>): Promise<CarrelError> =>
      work.then(
        () => {
          throw new Error("answered");
        },
        (error: CarrelError) => error,
      );
    const bad = await failure(client().request(echo, { text: 7 } as never, { scope }));
    expect(bad).toMatchObject({ code: "BAD_INPUT", details: { issues: [{ path: "text" }] } });
    expect(await failure(client().request(fail, { kind: "refusal" }, { scope }))).toMatchObject({
      code: "CONFLICT",
      message: "That is taken.",
      details: { field: "name" },
    });
    const bug = await failure(client().request(fail, { kind: "bug" }, { scope }));
    expect(bug.code).toBe("INTERNAL");
    expect(bug.message).not.toContain("hunter2");
    expect((await failure(client().request(fail, { kind: "wrong output" }, { scope }))).code).toBe(
      "INTERNAL",
    );
    expect((await failure(client().request(fail, { kind: "large output" }, { scope }))).code).toBe(
      "TOO_LARGE",
    );
    expect(
      (await failure(client().request(echo, { text: "x".repeat(300_000) }, { scope }))).code,
    ).toBe("TOO_LARGE");
  });

  it("passes the deadline and request ID on to nested requests", async () => {
    const deadline = Date.now() + 700;
    const started = Date.now();
    expect(await codeOf(client().request(nested, { delayMs: 5_000 }, { scope, deadline }))).toMatch(
      /TIMEOUT|answered/,
    );
    expect(Date.now() - started).toBeLessThan(4_000);
    expect(
      await client().request(nested, { delayMs: 1 }, { scope, deadline: deadline + 10_000 }),
    ).toMatchObject({ deadline: deadline + 10_000, outcome: "answered" });
  });

  it("drops requests and replies with a wrong signature", async () => {
    const forged = new Signer(Buffer.alloc(32));
    const head = JSON.stringify({
      id: "forged",
      contract: record.name,
      replyTo: "nowhere",
      deadline: Date.now() + 10_000,
      scope,
      requestId: "forged",
      traceparent: "",
      idempotencyKey: "forged",
    });
    const body = JSON.stringify({ id: "forged" });
    await redis.xadd(
      "rpc:auth",
      "*",
      "h",
      head,
      "b",
      body,
      "s",
      forged.sign("request", head, body),
    );
    await eventually(async () => expect(await redis.xlen("rpc:auth")).toBe(0));
    expect(await instance.count("run")).toEqual({ rows: 0, distinct: 0 });
    const metrics = await Promise.all(
      instance.replicas.map(async ({ healthPort }) =>
        (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text(),
      ),
    );
    expect(metrics.join()).toMatch(
      /carrel_request_dropped_total\{service="auth",reason="signature"\} 1/,
    );
  });

  it("drops a request past its deadline", async () => {
    for (const { signal } of instance.replicas) signal("SIGSTOP");
    const outcome = await codeOf(
      client().request(record, { id: "late" }, { scope, deadline: Date.now() + 300 }),
    );
    for (const { signal } of instance.replicas) signal("SIGCONT");
    expect(outcome).toBe("TIMEOUT");
    await eventually(async () => expect(await redis.xlen("rpc:auth")).toBe(0));
    expect(await instance.count("run")).toEqual({ rows: 0, distinct: 0 });
  });

  it("keeps working while a replica is suspended for 15 s, without losing or duplicating requests when it resumes", async () => {
    const [sleeper] = instance.replicas;
    const work = Array.from({ length: 40 }, (_, index) => ({
      id: `s${index}`,
      answer: codeOf(client().request(record, { id: `s${index}`, delayMs: 300 }, { scope })),
    }));
    const natural = Array.from({ length: 40 }, (_, index) =>
      codeOf(client().request(echo, { text: `n${index}`, delayMs: 300 }, { scope })),
    );
    await wait(100);
    sleeper!.signal("SIGSTOP");
    const stoppedAt = Date.now();
    const during = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        codeOf(client().request(echo, { text: `d${index}` }, { scope })),
      ),
    );
    expect(during).toEqual(Array(20).fill("answered"));
    expect(await Promise.all(natural)).toEqual(Array(40).fill("answered"));
    const outcomes = await Promise.all(work.map(({ answer }) => answer));
    // Requests that the suspended replica held and that must not run twice are answered with an
    // error at once.
    expect(outcomes.filter((code) => code !== "answered" && code !== "SERVICE_LOST")).toEqual([]);
    await wait(15_000 - (Date.now() - stoppedAt));
    sleeper!.signal("SIGCONT");
    await wait(1_500);
    const runs = await instance.count("run");
    expect(runs.rows).toBe(runs.distinct);
    const after = await Promise.all(
      Array.from({ length: 200 }, () =>
        client().request(echo, { text: "awake", delayMs: 2 }, { scope }),
      ),
    );
    expect(after.filter(({ pid }) => pid === sleeper!.pid).length).toBeGreaterThan(20);
    expect(await redis.xlen("rpc:auth")).toBe(0);
  });

  it("when a replica is killed, finishes requests that may run twice and answers the others with SERVICE_LOST", async () => {
    const victim = instance.replicas.find(({ pid }) => pids().includes(pid))!;
    const none = Array.from({ length: 20 }, (_, index) =>
      codeOf(client().request(record, { id: `k${index}`, delayMs: 500 }, { scope })),
    );
    const keyedOnes = Array.from({ length: 20 }, (_, index) =>
      client().request(createItem, { name: `item ${index}`, delayMs: 500 }, { scope }),
    );
    const natural = Array.from({ length: 20 }, (_, index) =>
      codeOf(client().request(recordNatural, { id: `nat${index}`, delayMs: 500 }, { scope })),
    );
    await wait(250);
    victim.signal("SIGKILL");
    expect(await Promise.all(natural)).toEqual(Array(20).fill("answered"));
    const items = await Promise.all(keyedOnes);
    expect(new Set(items.map(({ id }) => id)).size).toBe(20);
    expect(await instance.count("item")).toEqual({ rows: 20, distinct: 20 });
    const outcomes = await Promise.all(none);
    expect(outcomes).toContain("SERVICE_LOST");
    expect(outcomes.filter((code) => code !== "answered" && code !== "SERVICE_LOST")).toEqual([]);
    const { rows } = await instance.sql.query<{ count: number }>(
      "select count(*)::int as count from run where id like 'k%' group by id",
    );
    expect(rows.every(({ count }) => count === 1)).toBe(true);
    await instance.addReplica();
  });

  it("returns the first result for a keyed request sent twice", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() =>
        client().request(
          createItem,
          { name: "once", delayMs: 50 },
          { scope, idempotencyKey: "the same" },
        ),
      ),
    );
    expect(second).toEqual(first);
    expect(
      await client().request(createItem, { name: "once" }, { scope, idempotencyKey: "the same" }),
    ).toEqual(first);
    expect(await instance.count("item")).toEqual({ rows: 1, distinct: 1 });
  });

  it("recreates a lost consumer group and answers requests sent before", async () => {
    await redis.xgroup("DESTROY", "rpc:auth", "replicas");
    expect(await codeOf(client().request(echo, { text: "again" }, { scope }))).toBe("answered");
  });

  it("rejects new requests while 5,000 are waiting", async () => {
    for (const { signal } of instance.replicas) signal("SIGSTOP");
    try {
      const pipeline = redis.pipeline();
      for (let index = 0; index < 5_000; index += 1)
        pipeline.xadd("rpc:auth", "*", "h", "{}", "b", "{}", "s", "x");
      await pipeline.exec();
      expect(await codeOf(client().request(echo, { text: "one more" }, { scope }))).toBe("BUSY");
    } finally {
      for (const { signal } of instance.replicas) signal("SIGCONT");
    }
    await eventually(async () => expect(await redis.xlen("rpc:auth")).toBe(0));
    expect(await codeOf(client().request(echo, { text: "free again" }, { scope }))).toBe(
      "answered",
    );
  });

  it("dead-letters a request that crashes its replicas, counts it in a metric, and answers its caller", async () => {
    const before = pids().length;
    const survivor = await instance.addReplica();
    expect(before).toBeGreaterThanOrEqual(2);
    const outcome = await codeOf(client().request(poison, {}, { scope }));
    expect(outcome).toBe("SERVICE_LOST");
    expect(await redis.xlen("rpc:auth:dead")).toBe(1);
    expect(await redis.xlen("rpc:auth")).toBe(0);
    const alive = instance.replicas.filter(({ pid }) => pids().includes(pid));
    // Delivered twice, so two replicas crashed; the third saw the count and did not run it.
    expect(alive.length).toBe(before + 1 - 2);
    const metrics = await Promise.all(
      alive.map(async ({ healthPort }) =>
        (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text(),
      ),
    );
    expect(metrics.join()).toMatch(
      /carrel_request_dead_total\{service="auth",contract="fixture.poison.take"\} 1/,
    );
    expect(survivor.healthPort).toBeGreaterThan(0);
  });

  it("finishes running requests on SIGTERM and takes no new ones", async () => {
    const replica = await instance.addReplica();
    const busy = { stop: false, codes: [] as string[] };
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let index = 0; !busy.stop; index += 1)
          busy.codes.push(
            await codeOf(client().request(record, { id: `t${lane}/${index}` }, { scope })),
          );
      }),
    );
    const others = instance.replicas.filter(
      ({ pid }) => pid !== replica.pid && pids().includes(pid),
    );
    for (const other of others) {
      other.signal("SIGTERM");
    }
    await Promise.all(others.map(({ ended }) => ended));
    busy.stop = true;
    await load;
    // Nothing was lost during the shutdown, although these must not run twice.
    expect(new Set(busy.codes)).toEqual(new Set(["answered"]));
    const running = client().request(echo, { text: "finish me", delayMs: 800 }, { scope });
    await wait(200);
    replica.signal("SIGTERM");
    await eventually(async () =>
      expect((await fetch(`http://127.0.0.1:${replica.healthPort}/readyz`)).status).toBe(503),
    );
    expect((await running).text).toBe("finish me");
    await replica.ended;
    expect(replica.child.exitCode).toBe(0);
    expect(
      ((await redis.xinfo("CONSUMERS", "rpc:auth", "replicas")) as unknown[][]).flat(),
    ).not.toContain(`${replica.pid}`);
  });
});
