import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTwoProcesses, type TwoProcesses } from "../test/two-processes.ts";
import { PipeBrokenError } from "./pipes.ts";
import type { SharedMessaging } from "./shared-messaging.ts";

describe("pipes", () => {
  let two: TwoProcesses;
  let writing: SharedMessaging;
  let reading: SharedMessaging;
  const never = new AbortController().signal;
  let count = 0;

  beforeAll(async () => {
    two = await startTwoProcesses();
    [writing, reading] = two.processes;
  });
  afterAll(() => two?.stop());

  /** Starts a writer that records how much was requested and whether it was closed. */
  async function start(parts: number, failAt = Infinity, signal = never) {
    const key = `test:${(count += 1)}`;
    const state = { asked: 0, ended: false };
    await writing.pipes.open(key);
    const writer = writing.pipes.write(
      key,
      (async function* () {
        try {
          for (; state.asked < parts;) {
            state.asked += 1;
            if (state.asked === failAt) throw new Error("the source is gone");
            yield await Promise.resolve(`part ${state.asked} "ü😀"\n`);
          }
        } finally {
          state.ended = true;
        }
      })(),
      signal,
    );
    writer.catch(() => undefined);
    return { key, state, writer };
  }
  async function collect(key: string): Promise<string[]> {
    const parts: string[] = [];
    for await (const part of reading.pipes.read(key)) parts.push(part);
    return parts;
  }
  const expected = (parts: number): string[] =>
    Array.from({ length: parts }, (_, n) => `part ${n + 1} "ü😀"\n`);

  it("delivers all parts in order and leaves nothing in Redis", async () => {
    const { key, writer } = await start(300);
    expect(await collect(key)).toEqual(expected(300));
    await writer;
    expect(await writing.connections.commands.keys("pipe:*")).toEqual([]);
    const empty = await start(0);
    expect(await collect(empty.key)).toEqual([]);
  });

  it("shows nothing of the parts in Redis, and takes none that were changed or exchanged", async () => {
    const { key } = await start(3);
    const commands = writing.connections.commands;
    await waitFor(async () => (await commands.llen(`pipe:${key}`)) === 3 + 1);
    const stored = await commands.lrange(`pipe:${key}`, 0, -1);
    expect(stored.join("")).not.toMatch(/part/);
    expect(
      stored.map((part) => Buffer.from(part.slice(1), "base64").toString()).join(""),
    ).not.toMatch(/part/);
    // Put the second part in place of the first.
    await commands.lset(`pipe:${key}`, 0, stored[1]!);
    await expect(collect(key)).rejects.toBeInstanceOf(PipeBrokenError);
  });

  it("pauses the writer while the reader is idle, and notices when the reader leaves", async () => {
    const { key, state, writer } = await start(10_000);
    const read = reading.pipes.read(key);
    for (let n = 0; n < 3; n += 1) expect((await read.next()).value).toBe(expected(3)[n]);
    // Bounded: the parts read, four waiting and the one in hand.
    await waitFor(() => Promise.resolve(state.asked >= 7 || null), {
      what: "the writer to fill the pipe",
    });
    expect(state.asked).toBeLessThanOrEqual(8);
    await read.return(undefined);
    await writer;
    expect(state).toMatchObject({ ended: true });
    expect(state.asked).toBeLessThan(20);
    await waitFor(
      async () => (await writing.connections.commands.keys("pipe:*")).length === 0 || null,
      { what: "the pipe to be gone" },
    );
  });

  it("breaks when the source fails, when the writer stops, and when there is no writer", async () => {
    const failing = await start(10, 3);
    const got: string[] = [];
    await expect(
      (async () => {
        for await (const part of reading.pipes.read(failing.key)) got.push(part);
      })(),
    ).rejects.toThrow(PipeBrokenError);
    expect(got).toEqual(expected(2));
    await expect(failing.writer).rejects.toThrow("the source is gone");
    const stop = new AbortController();
    const stopped = await start(10_000, Infinity, stop.signal);
    const read = reading.pipes.read(stopped.key);
    await read.next();
    stop.abort();
    await expect(
      (async () => {
        for await (const _ of read);
      })(),
    ).rejects.toThrow(PipeBrokenError);
    await stopped.writer;
    expect(stopped.state.ended).toBe(true);
    await expect(collect("test:none")).rejects.toThrow(PipeBrokenError);
  });

  it("ends a writer whose reader never came", async () => {
    const { key, state, writer } = await start(10_000);
    // Simulates the key expiring.
    await writing.connections.commands.del(`pipe:${key}:reader`);
    await writer;
    expect(state.ended).toBe(true);
  });
});
