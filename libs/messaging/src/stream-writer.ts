import type { Redis } from "ioredis";
import { metrics } from "@carrel/observability";
import { StreamFullError, StreamTakenError } from "./stream-errors.ts";

export const maximumStreamBytes = 4 * 1024 * 1024;
/** How long a stream that is never ended is kept after its last part. */
const abandonedSeconds = 3_600;
/** How long a stream is kept after its end. */
const endedSeconds = 300;

const parts = metrics.counter("carrel_stream_parts_total", "Parts written to streams");
export const streamKey = (key: string): string => `stream:${key}`;
export const channelOf = (key: string): string => `stream:${key}:live`;

/** The command the script below adds to a connection. */
export interface StreamCommands {
  /**
   * Returns 1 when the part is stored (now, or by the same call sent before the connection broke),
   * 0 when another part has its number.
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

export function withStreamScript(redis: Redis): Redis & StreamCommands {
  if (!("carrelAppend" in redis))
    redis.defineCommand("carrelAppend", { numberOfKeys: 2, lua: append });
  return redis as Redis & StreamCommands;
}

/** Writes the parts of one stream, numbered from 1. A stream has one writer at a time. */
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
   * Announces the stream before its first part, so that an early reader waits instead of failing
   * with StreamGoneError.
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
   * Stores the part and notifies the readers in one command. Throws StreamFullError,
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

  /** Marks the end: readers stop after the last part. */
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
