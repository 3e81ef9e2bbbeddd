import { createLogger } from "@carrel/observability";
import { poll, startTestRedis, type TestRedis } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Redis } from "ioredis";
import { RedisConnections } from "./redis-connections.ts";
import { Subscriber } from "./subscriber.ts";

/** Remembers the connections it opens. */
class WatchedConnections extends RedisConnections {
  readonly opened: Redis[] = [];

  override open(...given: Parameters<RedisConnections["open"]>): Redis {
    const redis = super.open(...given);
    this.opened.push(redis);
    return redis;
  }
}

describe("subscriptions", () => {
  let server: TestRedis;
  let connections: WatchedConnections;
  beforeAll(async () => {
    server = await startTestRedis();
    connections = new WatchedConnections(server.url, createLogger("test", "silent"));
  });
  afterAll(async () => {
    await connections?.close();
    await server?.stop();
  });

  it("all work, if some come before the connection is made and some just after", async () => {
    const subscriber = new Subscriber(connections);
    const received: string[] = [];
    const listen = (channel: string): Promise<unknown> =>
      subscriber.listen(channel, (message) => received.push(message)).ready;
    const before = listen("before");
    // In the state "connect", ioredis sends SUBSCRIBE at once, but keeps most other commands waiting.
    // On a busy machine it may have passed.
    await poll(() => connections.opened[0]!.status, { intervalMs: 0 }).toMatch(/^(connect|ready)$/);
    await Promise.all([before, listen("after")]);
    for (const channel of ["before", "after"]) await connections.commands.publish(channel, channel);
    await poll(() => received).toEqual(["before", "after"]);
  });

  it("are made again if Redis refuses them, and end with their connection", async () => {
    const subscriber = new Subscriber(connections);
    const redis = connections.opened.at(-1)!;
    const subscribe = redis.subscribe.bind(redis);
    let refusals = 2;
    redis.subscribe = ((channel: string) =>
      (refusals -= 1) >= 0
        ? Promise.reject(new Error("Ready check failed"))
        : subscribe(channel)) as typeof redis.subscribe;
    await subscriber.listen("refused", () => undefined).ready;
    connections.release(redis);
    await poll(() => redis.status).toBe("end");
    await expect(subscriber.listen("too late", () => undefined).ready).rejects.toThrow(
      "Connection is closed.",
    );
  });
});
