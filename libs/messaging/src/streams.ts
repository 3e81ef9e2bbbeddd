import { Injectable } from "@nestjs/common";
import type { Redis } from "ioredis";
import { metrics } from "@carrel/observability";
import type { RedisConnections } from "./redis-connections.ts";
import type { Subscriber } from "./subscriber.ts";

export interface StreamPartRecord {
  seq: number;
  data: string;
}

/** Unknown, expired or lost with Redis: the caller answers from PostgreSQL. */
export class StreamGoneError extends Error {
  override readonly name = "StreamGoneError";
  constructor(key: string) {
    super(`The stream ${key} is not there (any more)`);
  }
}
/** More than 4 MB of text: the writer ends its work honestly. */
export class StreamFullError extends Error {
  override readonly name = "StreamFullError";
  constructor(key: string) {
    super(`The stream ${key} has reached its limit of 4 MB`);
  }
}
/** Another writer went on with this stream (the lease lapsed): this one must stop. */
export class StreamTakenError extends Error {
  override readonly name = "StreamTakenError";
  constructor(key: string) {
    super(`Another writer has taken over the stream ${key}`);
  }
}

export const maximumStreamBytes = 4 * 1024 * 1024;
/** How long a stream that nobody ends stays after its last part. */
const abandonedSeconds = 3_600;
/** How long a stream stays after its end. */
const endedSeconds = 300;
/** Live parts kept for a slow reader; beyond that it reads on from the stream. */
const liveLimit = 256;
const pageSize = 200;

const parts = metrics.counter("carrel_stream_parts_total", "Parts written to streams");
const streamKey = (key: string): string => `stream:${key}`;
const channelOf = (key: string): string => `stream:${key}:live`;

/** What the script below adds to a connection. */
interface StreamCommands {
  /**
   * 1 when the part is stored (now, or by the same call sent before the connection broke), 0 when
   * another part has its number.
   */
  carrelAppend(
    stream: string,
    channel: string,
    id: string,
    field: string,
    data: string,
    live: string,
    expirySeconds: number,
  ): Promise<number>;
}
const append = `local ok = redis.pcall('XADD', KEYS[1], ARGV[1], ARGV[2], ARGV[3])
if type(ok) == 'table' and ok.err then
  if not string.find(ok.err, 'equal or smaller', 1, true) then return ok end
  local present = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])
  if ARGV[2] == 'o' then return 1 end
  if not (present[1] and present[1][2][1] == ARGV[2] and present[1][2][2] == ARGV[3]) then return 0 end
end
if ARGV[4] ~= '' then redis.call('PUBLISH', KEYS[2], ARGV[4]) end
if ARGV[5] ~= '0' then redis.call('EXPIRE', KEYS[1], ARGV[5]) end
return 1`;

function withStreamScript(redis: Redis): Redis & StreamCommands {
  if (!("carrelAppend" in redis))
    redis.defineCommand("carrelAppend", { numberOfKeys: 2, lua: append });
  return redis as Redis & StreamCommands;
}

/** Writes the numbered parts of one stream, from 1. One writer at a time. */
export class StreamWriter {
  readonly #redis: Redis & StreamCommands;
  #seq: number;
  #bytes: number;
  #expiryRenewed = 0;
  #ended = false;

  constructor(
    redis: Redis & StreamCommands,
    readonly key: string,
    last: { seq: number; bytes: number } = { seq: 0, bytes: 0 },
  ) {
    this.#redis = redis;
    this.#seq = last.seq;
    this.#bytes = last.bytes;
  }

  /**
   * Makes the stream known before its first part, so that a reader who comes early waits instead of
   * hearing that it is gone.
   */
  async open(): Promise<void> {
    await this.#redis.carrelAppend(
      streamKey(this.key),
      channelOf(this.key),
      "0-1",
      "o",
      "1",
      "",
      abandonedSeconds,
    );
  }

  /**
   * Stores the part and tells the readers, in one command. Throws StreamFullError,
   * StreamTakenError.
   */
  async write(data: string): Promise<number> {
    if (this.#ended) throw new Error(`The stream ${this.key} has ended`);
    this.#bytes += Buffer.byteLength(data);
    if (this.#bytes > maximumStreamBytes) throw new StreamFullError(this.key);
    const seq = ++this.#seq;
    parts.inc();
    await this.#append(
      seq,
      "d",
      data,
      `${seq}:d:${data}`,
      this.#dueExpiry() ? abandonedSeconds : 0,
    );
    return seq;
  }

  /** No part follows; readers end after the last one. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#append(this.#seq + 1, "e", "1", `${this.#seq + 1}:e:`, endedSeconds);
  }

  /** Number of the last part written. */
  get last(): number {
    return this.#seq;
  }

  #dueExpiry(): boolean {
    if (Date.now() - this.#expiryRenewed < 60_000) return false;
    this.#expiryRenewed = Date.now();
    return true;
  }

  async #append(
    seq: number,
    field: string,
    data: string,
    live: string,
    expiry: number,
  ): Promise<void> {
    const stored = await this.#redis.carrelAppend(
      streamKey(this.key),
      channelOf(this.key),
      `${seq}-0`,
      field,
      data,
      live,
      expiry,
    );
    if (stored === 0) throw new StreamTakenError(this.key);
  }
}

/**
 * Tokens and progress: parts with numbers of their own, read from any number, by any process, with
 * the same bytes each time.
 */
@Injectable()
export class Streams {
  readonly #redis: Redis & StreamCommands;
  readonly #subscriber: Subscriber;
  constructor(connections: RedisConnections, subscriber: Subscriber) {
    this.#redis = withStreamScript(connections.commands);
    this.#subscriber = subscriber;
  }

  writer(key: string): StreamWriter {
    return new StreamWriter(this.#redis, key);
  }

  /**
   * A writer that goes on after the last stored part: for closing what another owner left open. An
   * ended stream gives null.
   */
  async resumeWriter(key: string): Promise<StreamWriter | null> {
    const last = await this.#last(key);
    return last?.ended
      ? null
      : new StreamWriter(this.#redis, key, { seq: last?.seq ?? 0, bytes: 0 });
  }

  /**
   * All that is stored of a stream, and a writer that goes on after it: for closing what another
   * owner left open. null
   * when there is none. `isWhole` false: parts are missing before the last one, and readers will
   * hear that it is gone.
   */
  async load(key: string): Promise<{
    parts: string[];
    isWhole: boolean;
    hasEnded: boolean;
    writer: StreamWriter;
  } | null> {
    const entries = await this.#redis.xrange(streamKey(key), "1-0", "+");
    const last = entries.at(-1);
    if (last === undefined) return null;
    const parts = entries.filter(([, fields]) => fields[0] === "d");
    const isWhole = entries.every(([id], index) => id === `${index + 1}-0`);
    return {
      parts: parts.map(([, fields]) => fields[1]!),
      isWhole,
      hasEnded: last[1][0] === "e",
      writer: new StreamWriter(this.#redis, key, { seq: Number(last[0].split("-")[0]), bytes: 0 }),
    };
  }

  /** Takes a stream away: its readers hear that it is gone. */
  async drop(key: string): Promise<void> {
    await this.#redis.del(streamKey(key));
  }

  async #last(key: string): Promise<{ seq: number; ended: boolean } | null> {
    const [last] = await this.#redis.xrevrange(streamKey(key), "+", "-", "COUNT", 1);
    return last ? { seq: Number(last[0].split("-")[0]), ended: last[1][0] === "e" } : null;
  }

  /**
   * Parts after number `after`, until the writer's end or the signal. Throws StreamGoneError when
   * the stream is unknown,
   * expired, lost, or no longer holds the part after `after`. `idleMs` (default 2,000) is how often
   * a silent stream is
   * looked at again; `waitMs` how long a stream that does not exist yet is waited for (default 0).
   */
  async *read(
    key: string,
    options: { after: number; signal: AbortSignal; idleMs?: number; waitMs?: number },
  ): AsyncGenerator<StreamPartRecord, void, undefined> {
    const { signal, idleMs = 2_000 } = options;
    const giveUpAt = Date.now() + (options.waitMs ?? 0);
    const live = new LiveParts();
    const stopGap = this.#subscriber.onGap(() => live.lose());
    const onAbort = (): void => live.wake();
    signal.addEventListener("abort", onAbort, { once: true });
    let unsubscribe: (() => void) | undefined;
    try {
      unsubscribe = await this.#subscriber.on(channelOf(key), live.receive);
      let next = options.after + 1;
      let stored = true;
      let seen = false;
      while (!signal.aborted) {
        if (stored) {
          // From the stream, page by page, as fast as the reader takes them.
          live.clear();
          let page: [string, string[]][];
          do {
            page = await this.#redis.xrange(streamKey(key), `${next}-0`, "+", "COUNT", pageSize);
            for (const [id, fields] of page) {
              const seq = Number(id.split("-")[0]);
              if (seq !== next) throw new StreamGoneError(key);
              if (fields[0] === "e") return;
              yield { seq, data: fields[1]! };
              if (signal.aborted) return;
              next += 1;
            }
          } while (page.length === pageSize);
          const last = await this.#last(key);
          if (last) {
            seen = true;
            // Asked for parts after the end: there are none.
            if (last.ended && last.seq < next) return;
            if (last.seq >= next) continue;
          } else if (seen || Date.now() >= giveUpAt) throw new StreamGoneError(key);
          stored = false;
        }
        const part = await live.take(seen ? idleMs : Math.min(idleMs, 50));
        if (part === "silent" || part === "lost") stored = true;
        else if (part !== null && part.seq >= next) {
          if (part.seq > next) stored = true;
          else if (part.kind === "e") return;
          else {
            yield { seq: part.seq, data: part.data };
            next += 1;
          }
        }
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      stopGap();
      unsubscribe?.();
    }
  }
}

interface LivePart {
  seq: number;
  kind: string;
  data: string;
}

/**
 * Parts that were published while the reader was busy: a bounded queue that says when it had to
 * drop some.
 */
class LiveParts {
  #queue: LivePart[] = [];
  #lost = false;
  #wake: (() => void) | undefined;

  readonly receive = (message: string): void => {
    if (this.#lost) return;
    if (this.#queue.length >= liveLimit) return this.lose();
    const first = message.indexOf(":");
    this.#queue.push({
      seq: Number(message.slice(0, first)),
      kind: message[first + 1]!,
      data: message.slice(first + 3),
    });
    this.wake();
  };
  lose(): void {
    this.#lost = true;
    this.#queue = [];
    this.wake();
  }
  clear(): void {
    this.#lost = false;
    this.#queue = [];
  }
  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
  /**
   * The next part; 'silent' when none came in time, 'lost' when some were dropped, null when woken
   * for nothing (the signal).
   */
  async take(idleMs: number): Promise<LivePart | "silent" | "lost" | null> {
    if (this.#lost) return "lost";
    if (this.#queue.length > 0) return this.#queue.shift()!;
    const silent = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        this.#wake = undefined;
        resolve(true);
      }, idleMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
    if (this.#lost) return "lost";
    return this.#queue.shift() ?? (silent ? "silent" : null);
  }
}
