import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { RedisConnections } from "./redis-connections.ts";

/** The consumer group shared by a service's replicas. */
export const group = "replicas";
/**
 * The pulse detects a lost group, so a read may block for long, but a live consumer must not appear
 * silent.
 */
const blockMs = 60_000;
/** When stopping, how long to wait for the read to end. */
const unblockMs = 2_500;

/** An entry of a Redis Stream; its fields are null once it is deleted. */
export type Entry = [id: string, fields: string[] | null];

export interface RequestReaderOptions {
  service: string;
  stream: string;
  consumer: string;
  connections: RedisConnections;
  redis: Redis;
  /** How many more entries can be taken now. */
  room: () => number;
  take: (entry: Entry) => void;
}

/** Reads new entries of a service's request stream while there is room for them. */
export class RequestReader {
  private blocking: Redis | undefined;
  private blockingId = 0;
  /** The connection was replaced; its ID can be queried once the read in flight has ended. */
  private isIdStale = false;
  private reading: Promise<void> = Promise.resolve();
  private onWake: (() => void) | undefined;
  private stopped = false;

  constructor(private readonly options: RequestReaderOptions) {}

  async start(): Promise<void> {
    await this.ensureGroup();
    this.blocking = this.options.connections.open(`rpc-${this.options.service}`);
    this.blocking.on("close", () => {
      this.isIdStale = true;
    });
    this.blockingId = await this.blocking.client("ID");
    this.reading = this.read();
  }

  /** Resumes reading once there is room again. */
  wake(): void {
    this.onWake?.();
    this.onWake = undefined;
  }

  /** Ends the blocking read without losing entries it has just received. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    const blocking = this.blocking;
    if (!blocking) return;
    const ended = new AbortController();
    const sleep = (ms: number): Promise<void> =>
      pause(ms, undefined, { signal: ended.signal }).catch(() => undefined);
    const unblock = async (): Promise<void> => {
      // Repeatedly, because the first one may overtake a read that is just being sent.
      while (!ended.signal.aborted) {
        if (blocking.status === "ready")
          await this.options.redis.client("UNBLOCK", this.blockingId).catch(() => 0);
        await sleep(100);
      }
    };
    void unblock();
    // Nothing ends the read if Redis is down or the connection's ID isn't known yet.
    await Promise.race([this.reading, sleep(unblockMs)]);
    ended.abort();
    this.options.connections.release(blocking);
    await this.reading;
  }

  async ensureGroup(): Promise<void> {
    try {
      // From 0, so that requests sent before the group existed (or before it was lost) are answered
      // too.
      await this.options.redis.xgroup("CREATE", this.options.stream, group, "0", "MKSTREAM");
    } catch (error) {
      if (!String(error).includes("BUSYGROUP")) throw error;
    }
  }

  private async read(): Promise<void> {
    const { stream, consumer, room, take } = this.options;
    while (!this.stopped) {
      if (room() <= 0) {
        await new Promise<void>((resolve) => {
          this.onWake = resolve;
        });
        continue;
      }
      try {
        if (this.isIdStale) {
          this.isIdStale = false;
          this.blockingId = await this.blocking!.client("ID");
        }
        // Small batches leave the rest of a burst to the other replicas.
        const reply = (await this.blocking!.xreadgroup(
          "GROUP",
          group,
          consumer,
          "COUNT",
          Math.min(room(), 16),
          "BLOCK",
          blockMs,
          "STREAMS",
          stream,
          ">",
        )) as [string, Entry[]][] | null;
        for (const [, entries] of reply ?? []) for (const entry of entries) take(entry);
      } catch (error) {
        if (this.stopped) return;
        if (String(error).includes("NOGROUP")) await this.ensureGroup().catch(() => pause(200));
        else await pause(200);
      }
    }
  }
}
