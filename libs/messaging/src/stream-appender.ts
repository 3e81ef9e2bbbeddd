import type { Redis } from "ioredis";

/** A part to store: field `d` for data, `e` for the end, `o` for the announcement of a stream. */
export interface Append {
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
