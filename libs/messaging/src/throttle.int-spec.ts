import { createLogger } from "@carrel/observability";
import { poll, startTestRedis } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { RedisConnections } from "./redis-connections.ts";
import { Throttle } from "./throttle.ts";

let redis: Awaited<ReturnType<typeof startTestRedis>>;
let connections: RedisConnections[];
let replicas: Throttle[];
beforeAll(async () => {
  redis = await startTestRedis();
  connections = [0, 1].map(() => new RedisConnections(redis.url, createLogger("test", "silent")));
  replicas = connections.map((each) => new Throttle(each));
});
afterAll(async () => {
  await Promise.all(connections.map((each) => each.close()));
  await redis.stop();
});

describe("Throttle", () => {
  it("counts once across replicas under concurrent use", async () => {
    const bucket = { key: "shared", capacity: 10, refillMs: 60_000 };
    const waits = await Promise.all(
      Array.from({ length: 100 }, (_, index) => replicas[index % 2]!.take([bucket])),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    for (const wait of waits.filter((each) => each > 0)) expect(wait).toBeLessThanOrEqual(60_000);
    await replicas[0]!.refund([bucket]);
    expect(await replicas[1]!.take([bucket])).toBe(0);
    expect(await replicas[1]!.take([bucket])).toBeGreaterThan(50_000);
  });

  it("fails when the connection breaks before the answer, and counts again afterwards", async () => {
    const bucket = { key: "broken", capacity: 10, refillMs: 60_000 };
    expect(await replicas[0]!.take([bucket])).toBe(0);
    const lost = replicas[0]!.take([bucket]);
    connections[0]!.once.stream.destroy();
    await expect(lost).rejects.toMatchObject({ code: "access.attempts-uncountable" });
    expect(await replicas[0]!.take([bucket])).toBe(0);
  });

  it("takes from all buckets or from none", async () => {
    const [small, large] = [
      { key: "small", capacity: 1, refillMs: 60_000 },
      { key: "large", capacity: 3, refillMs: 60_000 },
    ];
    expect(await replicas[0]!.take([large, small])).toBe(0);
    expect(await replicas[0]!.take([large, small])).toBeGreaterThan(0);
    expect([await replicas[0]!.take([large]), await replicas[0]!.take([large])]).toEqual([0, 0]);
    expect(await replicas[0]!.take([large])).toBeGreaterThan(0);
  });

  it("refills over time and stores nothing for a full bucket", async () => {
    const bucket = { key: "quick", capacity: 2, refillMs: 2_000 };
    // Sent together, so that nothing is refilled in between.
    const [first, second, wait] = await Promise.all(
      [1, 2, 3].map(() => replicas[0]!.take([bucket])),
    );
    expect([first, second]).toEqual([0, 0]);
    expect(wait).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, wait! + 5));
    expect(await replicas[0]!.take([bucket])).toBe(0);
    await poll(() => connections[0]!.commands.exists("throttle:quick")).toBe(0);
    await replicas[0]!.refund([bucket]);
    expect(await connections[0]!.commands.exists("throttle:quick")).toBe(0);
  });
});
