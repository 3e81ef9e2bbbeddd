import { metrics } from "@carrel/observability";
import type { Redis } from "ioredis";
import type { LocalStreams } from "./local-streams.ts";
import { StreamFullError, StreamTakenError, type SealedParts } from "./stream-parts.ts";

/** A part to store: field `d` for data, `e` for the end, `o` for the announcement of a stream. */
interface Append {
  stream: string;
  channel: string;
  seq: number;
  field: "d" | "e" | "o";
  data: string;
  /** Seconds until the stream expires; 0 leaves its expiry as it is. */
  expirySeconds: number;
}

interface AppendCommands {
  /**
   * For each part, 1 when it is stored (now, or by the same call sent before the connection broke),
   * 0 when another part has its number, or an error message.
   */
  carrelAppend(keys: number, ...keysThenValues: (string | number)[]): Promise<(number | string)[]>;
}

/** Each part has two keys (stream, channel) and four values (ID, field, data, expiry). */
const append = `local results = {}
for index = 1, #KEYS / 2 do
  local stream, channel = KEYS[index * 2 - 1], KEYS[index * 2]
  local id, field, data, expiry = unpack(ARGV, index * 4 - 3, index * 4)
  local ok = redis.pcall('XADD', stream, id, field, data)
  local stored = true
  if type(ok) == 'table' and ok.err then
    stored = false
    results[index] = ok.err
    if string.find(ok.err, 'equal or smaller', 1, true) then
      local present = redis.call('XRANGE', stream, id, id)
      stored = present[1] ~= nil and present[1][2][1] == field and present[1][2][2] == data
      results[index] = field == 'o' and 1 or 0
    end
  end
  if stored then
    results[index] = 1
    if field ~= 'o' then
      redis.call('PUBLISH', channel, string.match(id, '^%d+') .. ':' .. field .. ':' .. (field == 'd' and data or ''))
    end
    if expiry ~= '0' then redis.call('EXPIRE', stream, expiry) end
  end
end
return results`;

/** Maximum number of parts and approximate number of characters of data in one command. */
const maxParts = 500;
const maxCharacters = 1024 * 1024;

interface Waiting {
  part: Append;
  resolve(isStored: boolean): void;
  reject(error: unknown): void;
}

/**
 * Stores the parts that all streams of this process write in one turn of the event loop with one
 * command: with many streams, one command per part would cost more than everything else.
 */
export class StreamAppender {
  private readonly redis: Redis & AppendCommands;
  private waiting: Waiting[] = [];

  constructor(redis: Redis) {
    if (!("carrelAppend" in redis)) redis.defineCommand("carrelAppend", { lua: append });
    this.redis = redis as Redis & AppendCommands;
  }

  /**
   * Stores a part and notifies the readers. Resolves to false if another part has its number. Parts
   * are stored in the order of the calls.
   */
  append(part: Append): Promise<boolean> {
    if (this.waiting.length === 0) setImmediate(() => this.flush());
    return new Promise((resolve, reject) => {
      this.waiting.push({ part, resolve, reject });
    });
  }

  private flush(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (let first = 0; first < waiting.length;) {
      let [last, characters] = [first, 0];
      while (last < waiting.length && last - first < maxParts && characters < maxCharacters)
        characters += waiting[last++]!.part.data.length;
      void this.send(waiting.slice(first, last));
      first = last;
    }
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.redis.carrelAppend(
        batch.length * 2,
        ...batch.flatMap(({ part: { stream, channel } }) => [stream, channel]),
        ...batch.flatMap(({ part: { seq, field, data, expirySeconds } }) => [
          field === "o" ? "0-1" : `${seq}-0`,
          field,
          data,
          expirySeconds,
        ]),
      );
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (typeof result === "number") resolve(result === 1);
        else reject(new Error(`Redis refused a part of a stream: ${result}`));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

export const maximumStreamBytes = 4 * 1024 * 1024;
/** How long a stream that is never ended is kept after its last part. */
const abandonedSeconds = 3_600;
/** How long a stream is kept after its end. */
const endedSeconds = 300;

const parts = metrics.counter("carrel_stream_parts_total", "Parts written to streams");
/**
 * The name includes the format of its parts: older versions, which don't seal them, don't find it.
 */
export const streamKey = (key: string): string => `stream:sealed:${key}`;
export const channelOf = (key: string): string => `${streamKey(key)}:live`;

/** Writes the parts of one stream, numbered from 1. A stream has one writer at a time. */
export class StreamWriter {
  private seq: number;
  private bytes: number;
  private expiryRenewed = 0;
  private ended = false;

  constructor(
    private readonly appender: StreamAppender,
    private readonly local: LocalStreams,
    private readonly sealed: SealedParts,
    readonly key: string,
    last: { seq: number; bytes: number } = { seq: 0, bytes: 0 },
  ) {
    this.seq = last.seq;
    this.bytes = last.bytes;
  }

  /**
   * Announces the stream before its first part, so that an early reader waits instead of failing
   * with StreamGoneError.
   */
  async open(): Promise<void> {
    await this.append(0, "o", "1", abandonedSeconds);
  }

  /**
   * Stores the part and passes it to the readers. Throws StreamFullError, StreamTakenError.
   */
  async write(data: string): Promise<number> {
    if (this.ended) throw new Error(`The stream ${this.key} has ended`);
    this.bytes += Buffer.byteLength(data);
    if (this.bytes > maximumStreamBytes) throw new StreamFullError(this.key);
    const seq = ++this.seq;
    parts.inc();
    await this.append(seq, "d", data, this.dueExpiry() ? abandonedSeconds : 0);
    return seq;
  }

  /** Marks the end: readers stop after the last part. */
  async end(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.append(this.seq + 1, "e", "1", endedSeconds);
  }

  /** Number of the last part written. */
  get last(): number {
    return this.seq;
  }

  private dueExpiry(): boolean {
    if (Date.now() - this.expiryRenewed < 60_000) return false;
    this.expiryRenewed = Date.now();
    return true;
  }

  private async append(
    seq: number,
    field: Append["field"],
    data: string,
    expirySeconds: number,
  ): Promise<void> {
    const { key } = this;
    this.local.noteWriter(key, seq <= 1);
    const [stream, channel] = [streamKey(key), channelOf(key)];
    const part = {
      stream,
      channel,
      seq,
      field,
      data: field === "d" ? this.sealed.seal(seq, data) : data,
      expirySeconds,
    };
    if (!(await this.appender.append(part))) {
      this.local.forgetWriter(key);
      throw new StreamTakenError(key);
    }
    if (field !== "o") this.local.deliver(key, { seq, kind: field, data });
  }
}
