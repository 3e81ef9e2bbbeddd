import { Injectable } from "@nestjs/common";
import type { Redis } from "ioredis";
import { LiveParts } from "./live-parts.ts";
import { LocalStreams } from "./local-streams.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { StreamAppender } from "./stream-appender.ts";
import { StreamGoneError } from "./stream-errors.ts";
import { channelOf, streamKey, StreamWriter } from "./stream-writer.ts";
import type { Subscriber } from "./subscriber.ts";

export interface StreamPartRecord {
  seq: number;
  data: string;
}

const pageSize = 200;

/**
 * Numbered parts (tokens, progress) that any process can read from any number on, byte for byte.
 */
@Injectable()
export class Streams {
  private readonly redis: Redis;
  private readonly appender: StreamAppender;
  private readonly local: LocalStreams;

  constructor(
    connections: RedisConnections,
    private readonly subscriber: Subscriber,
    inProcess: boolean,
  ) {
    this.redis = connections.commands;
    this.appender = new StreamAppender(connections.commands);
    this.local = new LocalStreams(inProcess);
  }

  writer(key: string, last?: { seq: number; bytes: number }): StreamWriter {
    return new StreamWriter(this.appender, this.local, key, last);
  }

  /**
   * Returns a writer that continues after the last stored part, or null if the stream has ended.
   */
  async resumeWriter(key: string): Promise<StreamWriter | null> {
    const last = await this.last(key);
    return last?.ended ? null : this.writer(key, { seq: last?.seq ?? 0, bytes: 0 });
  }

  /**
   * Loads everything stored of a stream, with a writer that continues it, to close a stream left
   * open by another owner. With `isWhole` false, parts before the last one are missing, so readers
   * fail with StreamGoneError. Returns null if there is no such stream.
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
    const parts = entries.filter(([, fields]) => fields[0] === "d");
    const isWhole = entries.every(([id], index) => id === `${index + 1}-0`);
    return {
      parts: parts.map(([, fields]) => fields[1]!),
      isWhole,
      hasEnded: last[1][0] === "e",
      writer: this.writer(key, { seq: Number(last[0].split("-")[0]), bytes: 0 }),
    };
  }

  /** Deletes a stream; its readers fail with StreamGoneError. */
  async drop(key: string): Promise<void> {
    await this.redis.del(streamKey(key));
  }

  private async last(key: string): Promise<{ seq: number; ended: boolean } | null> {
    const [last] = await this.redis.xrevrange(streamKey(key), "+", "-", "COUNT", 1);
    return last ? { seq: Number(last[0].split("-")[0]), ended: last[1][0] === "e" } : null;
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
        } else if (stored) unsubscribe ??= await this.subscriber.on(channelOf(key), live.receive);
        if (stored) {
          // From the stream, page by page, at the reader's pace.
          live.clear();
          let page: [string, string[]][];
          do {
            page = await this.redis.xrange(streamKey(key), `${next}-0`, "+", "COUNT", pageSize);
            for (const [id, fields] of page) {
              const seq = Number(id.split("-")[0]);
              if (seq !== next) throw new StreamGoneError(key);
              if (fields[0] === "e") return;
              yield { seq, data: fields[1]! };
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
