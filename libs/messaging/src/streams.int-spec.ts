import { createLogger } from "@carrel/observability";
import { poll, readRedis, readRedisFiles, startTestRedis, type TestRedis } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { createSharedMessaging, type SharedMessaging } from "./shared-messaging.ts";
import { StreamFullError, StreamGoneError, StreamTakenError } from "./stream-parts.ts";
import { maximumStreamBytes } from "./stream-writer.ts";
import type { StreamPartRecord } from "./streams.ts";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.each([
  { name: "streams within a process", inProcess: true },
  { name: "streams between processes", inProcess: false },
])("$name", ({ inProcess }) => {
  let redis: TestRedis;
  let raw: Redis;
  let writing: SharedMessaging;
  let reading: SharedMessaging;
  const never = new AbortController().signal;
  let count = 0;
  const newKey = () => `gen:${(count += 1)}`;

  beforeAll(async () => {
    redis = await startTestRedis();
    const options = {
      redisUrl: redis.url,
      key: Buffer.alloc(32, 1),
      logger: createLogger("test", "silent"),
    };
    writing = createSharedMessaging(options);
    reading = inProcess ? writing : createSharedMessaging(options);
    raw = new Redis(redis.url);
  });
  afterAll(async () => {
    await Promise.all([writing?.close(), reading?.close()]);
    raw?.disconnect();
    await redis?.stop();
  });

  async function collect(
    key: string,
    after = 0,
    options: { signal?: AbortSignal; idleMs?: number; waitMs?: number } = {},
  ): Promise<StreamPartRecord[]> {
    const parts: StreamPartRecord[] = [];
    for await (const part of reading.streams.read(key, { after, signal: never, ...options }))
      parts.push(part);
    return parts;
  }

  it("gives a late reader the same bytes from any part number", async () => {
    const key = newKey();
    const writer = writing.streams.writer(key);
    const texts = Array.from(
      { length: 450 },
      (_, index) => `part ${index + 1}: ${'ü:\n"'.repeat(index % 7)}`,
    );
    for (const [index, text] of texts.entries()) expect(await writer.write(text)).toBe(index + 1);
    await writer.end();
    for (const after of [0, 1, 199, 200, 201, 399, 449, 450, 700]) {
      const parts = await collect(key, after);
      expect(parts.map(({ data }) => data)).toEqual(texts.slice(after));
      expect(parts.map(({ seq }) => seq)).toEqual(texts.map((_, index) => index + 1).slice(after));
    }
  });

  it("gives every reader each part once and in order, whenever it joins", async () => {
    const key = newKey();
    const writer = writing.streams.writer(key);
    await writer.open();
    const readers = Array.from({ length: 12 }, async (_, index) => {
      await wait(index * 15);
      return collect(key, index % 3);
    });
    for (let index = 1; index <= 120; index += 1) {
      await writer.write(`p${index}`);
      await wait(2);
    }
    await writer.end();
    for (const [index, parts] of (await Promise.all(readers)).entries()) {
      expect(parts.map(({ data }) => data)).toEqual(
        Array.from({ length: 120 - (index % 3) }, (_, part) => `p${part + 1 + (index % 3)}`),
      );
    }
  });

  it("keeps nothing readable in Redis, and refuses parts that were exchanged", async () => {
    const key = newKey();
    const writer = writing.streams.writer(key);
    for (const text of ["a passage", "another passage"]) await writer.write(text);
    await writer.end();
    const stored = [...(await readRedis(redis.url)), ...(await readRedisFiles(redis.url))];
    expect(stored.map(([name]) => name)).toContain(`stream:sealed:${key}`);
    expect(stored.filter(([, data]) => data.includes("passage"))).toEqual([]);
    expect((await collect(key)).map(({ data }) => data)).toEqual(["a passage", "another passage"]);

    const [first, second, end] = await raw.xrange(`stream:sealed:${key}`, "1-0", "+");
    const other = newKey();
    for (const [id, fields] of [
      [first![0], second![1]],
      [second![0], first![1]],
      [end![0], end![1]],
    ] as const)
      await raw.xadd(`stream:sealed:${other}`, id, ...fields);
    await expect(collect(other)).rejects.toThrow(StreamGoneError);
  });

  it("gives the first reader what was written before it, from memory if the writer is in its process", async () => {
    const key = newKey();
    const writer = writing.streams.writer(key);
    for (const text of ["one", "two"]) await writer.write(text);
    await raw.config("RESETSTAT");
    const reader = reading.streams.read(key, { after: 0, signal: never });
    expect((await reader.next()).value).toEqual({ seq: 1, data: "one" });
    expect((await reader.next()).value).toEqual({ seq: 2, data: "two" });
    const third = reader.next();
    await writer.write("three");
    expect((await third).value).toEqual({ seq: 3, data: "three" });
    expect((await raw.info("commandstats")).includes("cmdstat_xrange")).toBe(!inProcess);
    await writer.end();
    expect((await reader.next()).done).toBe(true);
    // Only the first reader takes the early parts.
    expect((await collect(key)).map(({ data }) => data)).toEqual(["one", "two", "three"]);
  });

  it("serves 1,000 streams over one subscriber connection", async () => {
    const before = ((await raw.client("LIST")) as string).split("\n").length;
    const keys = Array.from({ length: 1_000 }, newKey);
    const writers = keys.map((key) => writing.streams.writer(key));
    await Promise.all(writers.map((writer) => writer.open()));
    const readers = keys.map((key) => collect(key));
    await wait(200);
    expect(((await raw.client("LIST")) as string).split("\n").length).toBe(before);
    for (let part = 0; part < 5; part += 1)
      await Promise.all(writers.map((writer) => writer.write(`t${part}`)));
    await Promise.all(writers.map((writer) => writer.end()));
    const texts = (await Promise.all(readers)).map((parts) => parts.map(({ data }) => data).join());
    expect(new Set(texts)).toEqual(new Set(["t0,t1,t2,t3,t4"]));
    // The last listener has left, so the channels are gone.
    await poll(() => raw.pubsub("CHANNELS", "stream:*")).toEqual([]);
  });

  it("buffers a bounded number of parts for a slow reader, who then reads from the stream", async () => {
    const key = newKey();
    const writer = writing.streams.writer(key);
    await writer.open();
    const reader = reading.streams.read(key, { after: 0, signal: never });
    await writer.write("1");
    expect((await reader.next()).value).toEqual({ seq: 1, data: "1" });
    for (let index = 2; index <= 1_500; index += 1) await writer.write(String(index));
    await writer.end();
    const rest: string[] = [];
    for await (const { data } of reader) rest.push(data);
    expect(rest).toEqual(Array.from({ length: 1_499 }, (_, index) => String(index + 2)));
  });

  it("fails for a stream that is unknown, expired or flushed, and waits for one only on request", async () => {
    await expect(collect("gen:unknown")).rejects.toBeInstanceOf(StreamGoneError);
    const key = newKey();
    const late = reading.streams.read(key, { after: 0, signal: never, waitMs: 5_000 });
    const first = late.next();
    await wait(150);
    const writer = writing.streams.writer(key);
    await writer.write("late");
    expect((await first).value).toEqual({ seq: 1, data: "late" });
    const hurried = reading.streams.read(key, { after: 0, signal: never, idleMs: 100 });
    expect((await hurried.next()).value).toEqual({ seq: 1, data: "late" });
    const rest = [hurried.next(), late.next()];
    for (const part of rest) part.catch(() => undefined);
    await raw.flushall();
    for (const part of rest) await expect(part).rejects.toBeInstanceOf(StreamGoneError);
    // The writer continues, but a reader that starts at the beginning can't get the earlier parts.
    await writer.write("after the flush");
    await writer.end();
    await expect(collect(key)).rejects.toBeInstanceOf(StreamGoneError);
    expect(await collect(key, 1)).toEqual([{ seq: 2, data: "after the flush" }]);
  });

  it("continues after Redis is killed and restarted with its file", async () => {
    const key = newKey();
    const writer = writing.streams.writer(key);
    await writer.open();
    const reader = collect(key, 0, { idleMs: 200 });
    for (let index = 1; index <= 20; index += 1) await writer.write(`p${index}`);
    // Check the append-only file, which is written in the background.
    await poll(() => raw.info("persistence")).toMatch(/^aof_buffer_length:0\r$/m);
    await redis.kill();
    const pending = writer.write("p21");
    await wait(300);
    await redis.restart({ keepData: true });
    expect(await pending).toBe(21);
    await writer.end();
    expect((await reader).map(({ data }) => data)).toEqual(
      Array.from({ length: 21 }, (_, index) => `p${index + 1}`),
    );
  });

  it("rejects more than 4 MB, and expires some minutes after its end", async () => {
    const key = newKey();
    const writer = writing.streams.writer(key);
    for (let written = 0; written < maximumStreamBytes; written += 512 * 1024)
      await writer.write("x".repeat(512 * 1024));
    await expect(writer.write("y")).rejects.toBeInstanceOf(StreamFullError);
    expect(await raw.ttl(`stream:sealed:${key}`)).toBeGreaterThan(1_000);
    await writer.end();
    expect(await raw.ttl(`stream:sealed:${key}`)).toBeLessThanOrEqual(300);
    expect((await collect(key)).length).toBe(8);
  });

  it("lets another process close a lost owner's stream, and stops the owner if it wakes up", async () => {
    const key = newKey();
    const owner = writing.streams.writer(key);
    await owner.write("begun");
    const heir = await reading.streams.resumeWriter(key);
    expect(await heir!.write("ended by another")).toBe(2);
    await heir!.end();
    await expect(owner.write("awake again")).rejects.toBeInstanceOf(StreamTakenError);
    expect((await collect(key)).map(({ data }) => data)).toEqual(["begun", "ended by another"]);
    expect(await reading.streams.resumeWriter(key)).toBeNull();
  });

  it("follows a stream from one owner to the next, wherever they run", async () => {
    const key = newKey();
    const owner = writing.streams.writer(key);
    await owner.write("by its owner");
    const readers = [collect(key, 0, { idleMs: 200 }), collect(key, 1, { idleMs: 200 })];
    await owner.write("again");
    const elsewhere = createSharedMessaging({
      redisUrl: redis.url,
      key: Buffer.alloc(32, 1),
      logger: createLogger("test", "silent"),
    });
    const heir = await elsewhere.streams.resumeWriter(key);
    await heir!.write("by its heir");
    await expect(owner.write("too late")).rejects.toBeInstanceOf(StreamTakenError);
    await heir!.write("the rest");
    await heir!.end();
    const texts = ["by its owner", "again", "by its heir", "the rest"];
    expect((await Promise.all(readers)).map((parts) => parts.map(({ data }) => data))).toEqual([
      texts,
      texts.slice(1),
    ]);
    await elsewhere.close();
  });

  it("stops when the signal aborts", async () => {
    const key = newKey();
    await writing.streams.writer(key).open();
    const abort = new AbortController();
    const reader = collect(key, 0, { signal: abort.signal });
    await wait(50);
    abort.abort();
    expect(await reader).toEqual([]);
  });

  it("delivers broadcasts to every process", async () => {
    const heard: unknown[] = [];
    const stop = reading.broadcast.on("cancel", (payload) => heard.push(payload));
    await poll(async () => (await raw.pubsub("NUMSUB", "broadcast:cancel"))[1]).toBe(1);
    await writing.broadcast.publish("cancel", { id: 7 });
    await poll(() => heard).toEqual([{ id: 7 }]);
    stop();
    await writing.broadcast.publish("cancel", { id: 8 });
    await wait(100);
    expect(heard).toEqual([{ id: 7 }]);
  });
});
