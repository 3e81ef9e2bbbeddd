import { CarrelError, defineOperation } from "@carrel/contracts";
import { MessageCipher } from "@carrel/messaging";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { z } from "zod";
import { FixtureInstance, outcomeOf } from "./fixture-instance.ts";
import { createItem, echo, fail, nested, record, scope } from "./fixture-service.ts";

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
    await instance.sql.query("TRUNCATE run, item RESTART IDENTITY");
  });
  const client = () => instance.caller.messaging.client;
  const pids = () =>
    instance.replicas
      .filter(({ child }) => child.exitCode === null && child.signalCode === null)
      .map(({ pid }) => pid);

  it("shares the load between two replicas and handles each request once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        client().request(record, { id: `r${index}`, delayMs: 100 }, { scope }),
      ),
    );
    const byReplica = pids().map((pid) => answers.filter((answer) => answer.pid === pid).length);
    expect(byReplica.reduce((sum, count) => sum + count)).toBe(400);
    for (const count of byReplica) expect(count).toBeGreaterThan(60);
    expect(await instance.count("run")).toEqual({ rows: 400, distinct: 400 });
    await poll(() => redis.xlen("rpc:sealed:auth")).toBe(0);
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
    expect(bad).toMatchObject({
      code: "request.invalid",
      params: { faults: expect.stringContaining("text: ") },
    });
    expect(await failure(client().request(fail, { kind: "refusal" }, { scope }))).toMatchObject({
      kind: "BAD_INPUT",
      code: "request.body-too-deep",
      message: "The body is nested too deeply. The limit is 3 levels.",
      params: { limit: 3 },
      retryAfter: 7,
    });
    const bug = await failure(client().request(fail, { kind: "bug" }, { scope }));
    expect(bug.kind).toBe("INTERNAL");
    expect(bug.message).not.toContain("hunter2");
    expect((await failure(client().request(fail, { kind: "wrong output" }, { scope }))).kind).toBe(
      "INTERNAL",
    );
    expect((await failure(client().request(fail, { kind: "large output" }, { scope }))).kind).toBe(
      "TOO_LARGE",
    );
    expect(
      (await failure(client().request(echo, { text: "x".repeat(300_000) }, { scope }))).kind,
    ).toBe("TOO_LARGE");
  });

  it("passes the deadline and request ID on to nested requests", async () => {
    const deadline = Date.now() + 700;
    const started = Date.now();
    expect(
      await outcomeOf(client().request(nested, { delayMs: 20_000 }, { scope, deadline })),
    ).toMatch(/TIMEOUT|answered/);
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(
      await client().request(nested, { delayMs: 1 }, { scope, deadline: deadline + 10_000 }),
    ).toMatchObject({ deadline: deadline + 10_000, outcome: "answered" });
  });

  it("drops requests and replies that the instance did not seal", async () => {
    const forged = new MessageCipher(Buffer.alloc(32));
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
    await redis.xadd("rpc:sealed:auth", "*", "h", head, "b", forged.seal("request", head, body));
    await poll(() => redis.xlen("rpc:sealed:auth")).toBe(0);
    expect(await instance.count("run")).toEqual({ rows: 0, distinct: 0 });
    const metrics = await Promise.all(
      instance.replicas.map(async ({ healthPort }) =>
        (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text(),
      ),
    );
    expect(metrics.join()).toMatch(
      /carrel_request_dropped_total\{service="auth",reason="unsealed"\} 1/,
    );
  });

  it("drops a request past its deadline", async () => {
    for (const { signal } of instance.replicas) signal("SIGSTOP");
    const outcome = await outcomeOf(
      client().request(record, { id: "late" }, { scope, deadline: Date.now() + 300 }),
    );
    for (const { signal } of instance.replicas) signal("SIGCONT");
    expect(outcome).toBe("TIMEOUT");
    await poll(() => redis.xlen("rpc:sealed:auth")).toBe(0);
    expect(await instance.count("run")).toEqual({ rows: 0, distinct: 0 });
  });

  it("withdraws a request to a service of which no replica runs, and says that it is away", async () => {
    const nobody = defineOperation({
      name: "connectors.nobody.get",
      service: "connectors",
      access: { who: "internal" },
      input: z.object({}),
      output: z.object({}),
    });
    const asking = client().request(nobody, {}, { scope, deadline: Date.now() + 300 });
    await expect(asking).rejects.toMatchObject({ code: "request.unavailable" });
    expect(await redis.xlen("rpc:sealed:connectors")).toBe(0);
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
});
