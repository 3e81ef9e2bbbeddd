import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { RedisConnections } from "./redis-connections.ts";

/** The consumer group shared by a service's replicas. */
export const group = "replicas";
const blockMs = 2_000;

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
  #blocking: Redis | undefined;
  #blockingId = 0;
  #reading: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;
  #stopped = false;

  constructor(private readonly options: RequestReaderOptions) {}

  async start(): Promise<void> {
    await this.ensureGroup();
    this.#blocking = this.options.connections.open(`rpc-${this.options.service}`);
    this.#blockingId = await this.#blocking.client("ID");
    this.#reading = this.#read();
  }

  /** Resumes reading: there is room again. */
  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Ends the blocking read without losing entries it has just received. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    const blocking = this.#blocking;
    if (!blocking) return;
    const unblocked =
      blocking.status === "ready"
        ? this.options.redis.client("UNBLOCK", this.#blockingId).catch(() => 0)
        : Promise.resolve(0);
    // After a reconnect (a new client ID) the read ends on its own. With Redis down, nothing
    // replies.
    const answered = new AbortController();
    await Promise.race([
      Promise.all([unblocked, this.#reading]),
      pause(blockMs + 500, undefined, { signal: answered.signal }).catch(() => undefined),
    ]);
    answered.abort();
    this.options.connections.release(blocking);
    await this.#reading;
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

  async #read(): Promise<void> {
    const { stream, consumer, room, take } = this.options;
    while (!this.#stopped) {
      if (room() <= 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      try {
        // Small batches leave the rest of a burst to the other replicas.
        const reply = (await this.#blocking!.xreadgroup(
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
        if (this.#stopped) return;
        if (String(error).includes("NOGROUP")) await this.ensureGroup().catch(() => pause(200));
        else await pause(200);
      }
    }
  }
}
