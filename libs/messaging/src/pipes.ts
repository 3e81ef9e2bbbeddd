import { Injectable } from "@nestjs/common";
import type { Redis } from "ioredis";
import type { MessageCipher } from "./message-cipher.ts";
import type { RedisConnections } from "./redis-connections.ts";
import type { Subscriber } from "./subscriber.ts";

/** The other end is gone or Redis lost the pipe, so the data read so far is incomplete. */
export class PipeBrokenError extends Error {
  override readonly name = "PipeBrokenError";
  constructor(key: string, options?: ErrorOptions) {
    super(`The pipe ${key} broke before the end`, options);
  }
}

/** Maximum number of parts waiting for the reader; the writer pauses when it is reached. */
const waitingParts = 4;
/** Heartbeat interval of each end; an end silent for `goneMs` is considered gone. */
const aliveMs = 5_000;
const goneMs = 20_000;
/** Polling interval, because the notification of a write or read may get lost. */
const lookAgainMs = 1_000;

const dataKey = (key: string): string => `pipe:${key}`;
const readerKey = (key: string): string => `pipe:${key}:reader`;
const writerKey = (key: string): string => `pipe:${key}:writer`;
const writtenChannel = (key: string): string => `pipe:${key}:written`;
const takenChannel = (key: string): string => `pipe:${key}:taken`;

/** Authenticated along with a part, so that parts can't be swapped. */
const headOf = (key: string, number: number): string => `${key}\n${number}`;

interface PipeCommands {
  /** Returns the number of parts waiting, or -1 when the reader is gone. */
  carrelPipeWrite(
    data: string,
    reader: string,
    written: string,
    part: string,
    expiryMs: number,
  ): Promise<number>;
  /** Returns the next part; '' if there is none yet, null if the writer is gone. */
  carrelPipeTake(
    data: string,
    reader: string,
    writer: string,
    taken: string,
    expiryMs: number,
  ): Promise<string | null>;
}
const write = `if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('DEL', KEYS[1]) return -1 end
local waiting = redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PUBLISH', KEYS[3], '')
return waiting`;
const take = `redis.call('SET', KEYS[2], '1', 'PX', ARGV[1])
local part = redis.call('LPOP', KEYS[1])
if part then redis.call('PUBLISH', KEYS[4], '') return part end
if redis.call('EXISTS', KEYS[3]) == 1 then return '' end
return nil`;

function withPipeScripts(redis: Redis): Redis & PipeCommands {
  if (!("carrelPipeWrite" in redis))
    redis.defineCommand("carrelPipeWrite", { numberOfKeys: 3, lua: write });
  if (!("carrelPipeTake" in redis))
    redis.defineCommand("carrelPipeTake", { numberOfKeys: 4, lua: take });
  return redis as Redis & PipeCommands;
}

/**
 * Streams one answer of any length from one process to another: parts in order, each delivered
 * once, encrypted, with back-pressure. The writer is paced by the reader and notices when it
 * leaves. Nothing is stored: a broken pipe has to be requested again.
 */
@Injectable()
export class Pipes {
  private readonly redis: Redis & PipeCommands;
  constructor(
    connections: RedisConnections,
    private readonly subscriber: Subscriber,
    private readonly cipher: MessageCipher,
  ) {
    // A part must not be written or read twice, so a command in flight when Redis disconnects
    // breaks the pipe.
    this.redis = withPipeScripts(connections.once);
  }

  /** Registers the pipe so that its reader finds it; `write` must follow. */
  async open(key: string): Promise<void> {
    await Promise.all([
      this.redis.set(readerKey(key), "1", "PX", goneMs),
      this.redis.set(writerKey(key), "1", "PX", goneMs),
    ]);
  }

  /**
   * Writes all parts. Stops early, and closes `parts` (its `finally` runs), when the reader is gone
   * or the signal aborts. An error of `parts` breaks the pipe for its reader and is rethrown.
   */
  async write(key: string, parts: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
    const taken = new Bell();
    const unsubscribe = await this.subscriber.on(takenChannel(key), taken.ring);
    const ring = (): void => taken.ring();
    signal.addEventListener("abort", ring, { once: true });
    const alive = setInterval(
      () => void this.redis.set(writerKey(key), "1", "PX", goneMs).catch(() => undefined),
      aliveMs,
    ).unref();
    let isWhole = false;
    let number = 0;
    try {
      for await (const part of parts) {
        if (signal.aborted) return;
        const sealed = this.cipher.seal("pipe", headOf(key, (number += 1)), part);
        let waiting = await this.writePart(key, `d${sealed}`);
        while (waiting >= waitingParts && !signal.aborted) {
          await taken.wait(lookAgainMs);
          waiting =
            (await this.redis.exists(readerKey(key))) === 0
              ? -1
              : await this.redis.llen(dataKey(key));
        }
        if (waiting < 0) return;
      }
      await this.writePart(key, "e");
      isWhole = true;
    } finally {
      clearInterval(alive);
      signal.removeEventListener("abort", ring);
      unsubscribe();
      if (!isWhole) await this.writePart(key, "x").catch(() => undefined);
      await this.redis.del(writerKey(key)).catch(() => undefined);
    }
  }

  /**
   * Yields all parts until the writer is done. Throws PipeBrokenError if the rest is lost. Leaving
   * the loop notifies the writer.
   */
  async *read(key: string): AsyncGenerator<string, void, undefined> {
    const written = new Bell();
    const unsubscribe = await this.subscriber.on(writtenChannel(key), written.ring);
    // On a timer, so that a slow reader still counts as present.
    const alive = setInterval(
      () => void this.redis.set(readerKey(key), "1", "PX", goneMs).catch(() => undefined),
      aliveMs,
    ).unref();
    let number = 0;
    try {
      for (;;) {
        const part = await this.redis
          .carrelPipeTake(dataKey(key), readerKey(key), writerKey(key), takenChannel(key), goneMs)
          .catch((cause: unknown) => {
            throw new PipeBrokenError(key, { cause });
          });
        if (part === "e") return;
        if (part === null || part === "x") throw new PipeBrokenError(key);
        if (part === "") await written.wait(lookAgainMs);
        else yield this.unseal(key, (number += 1), part.slice(1));
      }
    } finally {
      clearInterval(alive);
      unsubscribe();
      await this.redis
        .del(readerKey(key), dataKey(key))
        .then(() => this.redis.publish(takenChannel(key), ""))
        .catch(() => undefined);
    }
  }

  private unseal(key: string, number: number, sealed: string): string {
    const part = this.cipher.open("pipe", headOf(key, number), sealed);
    if (part === null) throw new PipeBrokenError(key);
    return part;
  }

  private writePart(key: string, part: string): Promise<number> {
    return this.redis.carrelPipeWrite(
      dataKey(key),
      readerKey(key),
      writtenChannel(key),
      part,
      goneMs,
    );
  }
}

/** A signal that remembers one notification that arrived before anyone waited. */
class Bell {
  private rung = false;
  private wake: (() => void) | undefined;
  readonly ring = (): void => {
    this.rung = true;
    this.wake?.();
  };
  async wait(longestMs: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.rung = false;
    this.wake = undefined;
  }
}
