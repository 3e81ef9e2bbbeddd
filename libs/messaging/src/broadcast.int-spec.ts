import { AsyncLocalStorage } from "node:async_hooks";
import { defineEvent } from "@carrel/contracts";
import { createLogger } from "@carrel/observability";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { startTwoProcesses, type TwoProcesses } from "../test/two-processes.ts";
import { handlingMs } from "./broadcast.ts";
import { createSharedMessaging, type SharedMessaging } from "./shared-messaging.ts";

const changed = defineEvent({
  name: "test.changed",
  service: "chat",
  payload: z.object({}).loose(),
  consumers: [],
});

describe("broadcasts", () => {
  let two: TwoProcesses;
  let here: SharedMessaging;
  let elsewhere: SharedMessaging;
  beforeAll(async () => {
    two = await startTwoProcesses();
    [here, elsewhere] = two.processes;
  });
  afterAll(() => two?.stop());

  const subscribed = (channel: string, processes = 2) =>
    poll(async () => (await here.connections.commands.pubsub("NUMSUB", channel))[1]).toBe(
      processes,
    );

  it("arrive in their own process at once, in others over Redis, and once in each", async () => {
    const received: Record<"here" | "elsewhere", unknown[]> = { here: [], elsewhere: [] };
    const stops = [
      here.broadcast.on("news", (payload) => received.here.push(payload)),
      elsewhere.broadcast.on("news", (payload) => received.elsewhere.push(payload)),
    ];
    await subscribed("broadcast:news");
    const payload = { text: "@home ü", at: new Date(0) };
    const published = here.broadcast.publish("news", payload);
    const copy = { text: "@home ü", at: "1970-01-01T00:00:00.000Z" };
    expect(received.here).toEqual([copy]);
    await published;
    await poll(() => received.elsewhere).toEqual([copy]);
    await elsewhere.broadcast.publish("news", null);
    await poll(() => received).toEqual({ here: [copy, null], elsewhere: [copy, null] });
    for (const stop of stops) stop();
    await here.broadcast.publish("news", 3);
    expect(received.here).toHaveLength(2);
  });

  it("of what is repeated anyway don't wait for a Redis that is away", async () => {
    const received: unknown[] = [];
    const alone = createSharedMessaging({
      redisUrl: "redis://127.0.0.1:1",
      key: Buffer.alloc(32, 1),
      logger: createLogger("test", "silent"),
    });
    const stops = [alone, elsewhere].map(({ broadcast }) =>
      broadcast.on("weather", (payload) => received.push(payload)),
    );
    await subscribed("broadcast:weather", 1);
    await alone.broadcast.announce("weather", "fog");
    expect(received).toEqual(["fog"]);
    await here.broadcast.announce("weather", "rain");
    await poll(() => received).toEqual(["fog", "rain"]);
    for (const stop of stops) stop();
    await alone.close();
  });

  it("don't carry the sender's async context", async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const stop = here.broadcast.on("context", () => seen.push(storage.getStore()));
    await storage.run("a request", () => here.broadcast.publish("context", null));
    expect(seen).toEqual([undefined]);
    stop();
  });

  it("reach the other listeners when one fails", async () => {
    const seen: unknown[] = [];
    const stops = [
      here.broadcast.on("faulty", () => {
        throw new Error("a fault of the listener");
      }),
      here.broadcast.on("faulty", (payload) => seen.push(payload)),
    ];
    await here.broadcast.publish("faulty", 1);
    expect(seen).toEqual([1]);
    for (const stop of stops) stop();
  });

  it("wait for the listeners of every process if they invalidate something", async () => {
    const seen: string[] = [];
    const stops = [
      here.broadcast.on(`event:${changed.name}`, () => seen.push("here")),
      elsewhere.broadcast.on(`event:${changed.name}`, () => seen.push("elsewhere")),
      elsewhere.broadcast.on(`event:${changed.name}`, () => seen.push("elsewhere too")),
    ];
    await subscribed(`broadcast:event:${changed.name}`);
    for (let round = 0; round < 50; round += 1) {
      const invalidated = here.broadcast.invalidate(changed, { round });
      expect(seen).toEqual(["here"]);
      await invalidated;
      expect(seen).toEqual(["here", "elsewhere", "elsewhere too"]);
      seen.length = 0;
    }
    await Promise.all(Array.from({ length: 50 }, () => here.broadcast.invalidate(changed, {})));
    expect(seen).toHaveLength(150);
    for (const stop of stops) stop();
    await here.broadcast.invalidate(changed, {});
    expect(seen).toHaveLength(150);
  });

  it("don't wait forever for a process that is suspended", async () => {
    const suspended = elsewhere.connections.open("suspended");
    await suspended.subscribe(`broadcast:event:${changed.name}`);
    const started = performance.now();
    await here.broadcast.invalidate(changed, {});
    expect(performance.now() - started).toBeGreaterThanOrEqual(handlingMs - 5);
    elsewhere.connections.release(suspended);
  });
});
