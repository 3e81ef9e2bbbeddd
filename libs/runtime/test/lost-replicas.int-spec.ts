import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { FixtureInstance, outcomeOf } from "./fixture-instance.ts";
import { createItem, echo, poison, record, recordNatural, scope } from "./fixture-service.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
describe("requests while replicas are lost", () => {
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

  it("keeps working while a replica is suspended for 15 s, without losing or duplicating requests when it resumes", async () => {
    const [sleeper] = instance.replicas;
    const work = Array.from({ length: 40 }, (_, index) => ({
      id: `s${index}`,
      answer: outcomeOf(client().request(record, { id: `s${index}`, delayMs: 300 }, { scope })),
    }));
    const natural = Array.from({ length: 40 }, (_, index) =>
      outcomeOf(client().request(echo, { text: `n${index}`, delayMs: 300 }, { scope })),
    );
    await wait(100);
    sleeper!.signal("SIGSTOP");
    const stoppedAt = Date.now();
    const during = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        outcomeOf(client().request(echo, { text: `d${index}` }, { scope })),
      ),
    );
    expect(during).toEqual(Array(20).fill("answered"));
    expect(await Promise.all(natural)).toEqual(Array(40).fill("answered"));
    const outcomes = await Promise.all(work.map(({ answer }) => answer));
    // Requests held by the suspended replica that must not run twice are answered with an error at
    // once.
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
    expect(await redis.xlen("rpc:sealed:auth")).toBe(0);
  });

  it("when a replica is killed, finishes requests that may run twice and answers the others with SERVICE_LOST", async () => {
    const victim = instance.replicas.find(({ pid }) => pids().includes(pid))!;
    const none = Array.from({ length: 20 }, (_, index) =>
      outcomeOf(client().request(record, { id: `k${index}`, delayMs: 500 }, { scope })),
    );
    const keyedOnes = Array.from({ length: 20 }, (_, index) =>
      client().request(createItem, { name: `item ${index}`, delayMs: 500 }, { scope }),
    );
    const natural = Array.from({ length: 20 }, (_, index) =>
      outcomeOf(client().request(recordNatural, { id: `nat${index}`, delayMs: 500 }, { scope })),
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
      "SELECT count(*)::int AS count FROM run WHERE id LIKE 'k%' GROUP BY id",
    );
    expect(rows.every(({ count }) => count === 1)).toBe(true);
    await instance.addReplica();
  });

  it("recreates a lost consumer group and answers requests sent before", async () => {
    await redis.xgroup("DESTROY", "rpc:sealed:auth", "replicas");
    expect(await outcomeOf(client().request(echo, { text: "again" }, { scope }))).toBe("answered");
  });

  it("rejects new requests while 5,000 are waiting", async () => {
    for (const { signal } of instance.replicas) signal("SIGSTOP");
    try {
      const pipeline = redis.pipeline();
      for (let index = 0; index < 5_000; index += 1)
        pipeline.xadd("rpc:sealed:auth", "*", "h", "{}", "b", "{}");
      await pipeline.exec();
      expect(await outcomeOf(client().request(echo, { text: "one more" }, { scope }))).toBe("BUSY");
    } finally {
      for (const { signal } of instance.replicas) signal("SIGCONT");
    }
    await poll(() => redis.xlen("rpc:sealed:auth")).toBe(0);
    expect(await outcomeOf(client().request(echo, { text: "free again" }, { scope }))).toBe(
      "answered",
    );
  });

  it("dead-letters a request that crashes its replicas, counts it in a metric, and answers its caller", async () => {
    const before = pids().length;
    const survivor = await instance.addReplica();
    const dead = 'carrel_request_dead_total{service="auth",contract="fixture.poison.take"}';
    const scrape = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    // Scrape before the first one, because Prometheus couldn't tell that a new series is an
    // increase.
    expect(await scrape(survivor.healthPort)).toContain(`${dead} 0\n`);
    expect(before).toBeGreaterThanOrEqual(2);
    const outcome = await outcomeOf(client().request(poison, {}, { scope }));
    expect(outcome).toBe("SERVICE_LOST");
    expect(await redis.xlen("rpc:sealed:auth:dead")).toBe(1);
    expect(await redis.xlen("rpc:sealed:auth")).toBe(0);
    const alive = instance.replicas.filter(({ pid }) => pids().includes(pid));
    // Delivered twice, so two replicas crashed; the third saw the count and did not run it.
    expect(alive.length).toBe(before + 1 - 2);
    const metrics = await Promise.all(alive.map(({ healthPort }) => scrape(healthPort)));
    expect(metrics.join("")).toContain(`${dead} 1\n`);
  });

  it("finishes running requests on SIGTERM and takes no new ones", async () => {
    const replica = await instance.addReplica();
    const busy = { stop: false, codes: [] as string[] };
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let index = 0; !busy.stop; index += 1)
          busy.codes.push(
            await outcomeOf(client().request(record, { id: `t${lane}/${index}` }, { scope })),
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
    await poll(
      async () => (await fetch(`http://127.0.0.1:${replica.healthPort}/readyz`)).status,
    ).toBe(503);
    expect((await running).text).toBe("finish me");
    await replica.ended;
    expect(replica.child.exitCode).toBe(0);
    expect(
      ((await redis.xinfo("CONSUMERS", "rpc:sealed:auth", "replicas")) as unknown[][]).flat(),
    ).not.toContain(`${replica.pid}`);
  });
});
