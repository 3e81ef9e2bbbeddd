import { Injectable } from "@nestjs/common";
import type { Redis } from "ioredis";
import { LiveParts, LocalStreams } from "./local-streams.ts";
import type { MessageCipher } from "./message-cipher.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { SealedParts, StreamGoneError } from "./stream-parts.ts";
import { StreamAppender, StreamWriter, channelOf, streamKey } from "./stream-writer.ts";
import type { Subscriber } from "./subscriber.ts";

export interface StreamPartRecord {
  seq: number;
  data: string;
}

const pageSize = 200;
const seqOf = (entry: string): number => Number(entry.split("-")[0]);

/**
 * Numbered parts (tokens, progress) that any process can read from any number on, byte for byte.
 * Sealed in Redis.
 */
@Injectable()
export class Streams {
  private readonly redis: Redis;
  private readonly appender: StreamAppender;
  private readonly local: LocalStreams;

  constructor(
    connections: RedisConnections,
    private readonly subscriber: Subscriber,
    private readonly cipher: MessageCipher,
    inProcess: boolean,
  ) {
    this.redis = connections.commands;
    this.appender = new StreamAppender(connections.commands);
    this.local = new LocalStreams(inProcess);
  }

  writer(key: string, last?: { seq: number; bytes: number }): StreamWriter {
    return new StreamWriter(this.appender, this.local, this.sealedParts(key), key, last);
  }

  /**
   * Returns a writer that continues after the last stored part, or null if the stream has ended.
   */
  async resumeWriter(key: string): Promise<StreamWriter | null> {
    const last = await this.last(key);
    return last?.ended ? null : this.writer(key, { seq: last?.seq ?? 0, bytes: 0 });
  }

  /**
   * Loads everything stored of a stream, with a writer that continues it, to close a stream that
   * another owner left open. With `isWhole` false, parts before the last one are missing, so
   * readers fail with StreamGoneError. Returns null if there is no such stream, or if this instance
   * can't open it because its secret has changed.
   */
  async load(key: string): Promise<{
    parts: string[];
    isWhole: boolean;
    hasEnded: boolean;
    writer: StreamWriter;
  } | null> {
    const entries = await this.redis.xrange(streamKey(key), "1-0", "+");
    const last = entries.at(-1);
    if (last === undefined) return null;
    const parts = this.openAll(key, entries);
    if (parts === null) {
      await this.drop(key);
      return null;
    }
    const isWhole = entries.every(([id], index) => id === `${index + 1}-0`);
    return {
      parts,
      isWhole,
      hasEnded: last[1][0] === "e",
      writer: this.writer(key, { seq: seqOf(last[0]), bytes: 0 }),
    };
  }

  /** Deletes a stream; its readers fail with StreamGoneError. */
  async drop(key: string): Promise<void> {
    await this.redis.del(streamKey(key));
  }

  private openAll(key: string, entries: readonly [string, string[]][]): string[] | null {
    const sealed = this.sealedParts(key);
    try {
      return entries.flatMap(([id, [field, data]]) =>
        field === "d" ? [sealed.open(seqOf(id), data!)] : [],
      );
    } catch (error) {
      if (error instanceof StreamGoneError) return null;
      throw error;
    }
  }

  private sealedParts(key: string): SealedParts {
    return new SealedParts(this.cipher, key);
  }

  private async last(key: string): Promise<{ seq: number; ended: boolean } | null> {
    const [last] = await this.redis.xrevrange(streamKey(key), "+", "-", "COUNT", 1);
    return last ? { seq: seqOf(last[0]), ended: last[1][0] === "e" } : null;
  }

  /**
   * Yields the parts after number `after`, until the writer's end or the signal. Throws
   * StreamGoneError if the stream is unknown, expired, lost, or no longer holds the part after
   * `after`.
   * @param options.idleMs how often a silent stream is checked again; default 2,000
   * @param options.waitMs how long to wait for a stream that doesn't exist yet; default 0
   */
  async *read(
    key: string,
    options: { after: number; signal: AbortSignal; idleMs?: number; waitMs?: number },
  ): AsyncGenerator<StreamPartRecord, void, undefined> {
    const { signal, idleMs = 2_000 } = options;
    const giveUpAt = Date.now() + (options.waitMs ?? 0);
    const sealed = this.sealedParts(key);
    const live = new LiveParts();
    const stopGap = this.subscriber.onGap(() => live.lose());
    const stopLocal = this.local.listen(key, live);
    const onAbort = (): void => live.wake();
    signal.addEventListener("abort", onAbort, { once: true });
    let unsubscribe: (() => void) | undefined;
    try {
      let next = options.after + 1;
      const early = next === 1 ? this.local.takeEarly(key) : null;
      for (const part of early ?? []) live.add(part);
      let stored = early === null;
      let seen = early !== null;
      while (!signal.aborted) {
        // A writer in this process hands over its parts itself.
        if (this.local.hasWriter(key)) {
          unsubscribe?.();
          unsubscribe = undefined;
        } else if (stored)
          unsubscribe ??= await this.subscriber.on(channelOf(key), (message) =>
            live.receive(message, sealed),
          );
        if (stored) {
          // From the stream, page by page, at the reader's pace.
          live.clear();
          let page: [string, string[]][];
          do {
            page = await this.redis.xrange(streamKey(key), `${next}-0`, "+", "COUNT", pageSize);
            for (const [id, fields] of page) {
              const seq = seqOf(id);
              if (seq !== next) throw new StreamGoneError(key);
              if (fields[0] === "e") return;
              yield { seq, data: sealed.open(seq, fields[1]!) };
              if (signal.aborted) return;
              next += 1;
            }
          } while (page.length === pageSize);
          const last = await this.last(key);
          if (last) {
            seen = true;
            // The reader asked for parts after the end.
            if (last.ended && last.seq < next) return;
            if (last.seq >= next) continue;
          } else if (!this.local.hasWriter(key) && (seen || Date.now() >= giveUpAt))
            throw new StreamGoneError(key);
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
      stopLocal();
      unsubscribe?.();
    }
  }
}
