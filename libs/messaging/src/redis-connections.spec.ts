import { createLogger } from "@carrel/observability";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { RedisConnections } from "./redis-connections.ts";

describe("a connection that waits to reconnect", () => {
  let connections: RedisConnections;
  beforeAll(() => {
    // Nothing listens there.
    connections = new RedisConnections("redis://127.0.0.1:1", createLogger("test", "silent"));
  });
  afterAll(() => connections.close());

  it.each([
    ["its own", () => connections.jobs],
    // BullMQ's blocking connection
    ["a duplicate's", () => connections.jobs.duplicate({ maxRetriesPerRequest: null })],
  ])("ends when told to and fails waiting commands, %s", async (_whose, open) => {
    const redis = open();
    redis.on("error", () => undefined);
    const waiting = redis.get("key").then(
      () => "answered",
      () => "failed",
    );
    await poll(() => redis.status, { intervalMs: 1 }).toBe("reconnecting");
    redis.disconnect();
    expect(await waiting).toBe("failed");
    await poll(() => redis.status).toBe("end");
  });
});
