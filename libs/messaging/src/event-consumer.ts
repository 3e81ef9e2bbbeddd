import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { DomainEvent } from "@carrel/contracts";
import { context, metrics, nextTraceparent, type Logger } from "@carrel/observability";
import { isFinal } from "./job-runner.ts";
import { eventStream } from "./message-sender.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { leaveGroup, removeSilentConsumers } from "./silent-consumers.ts";

export interface EventHandler {
  event: DomainEvent;
  run(payload: unknown): Promise<void>;
}
export interface EventConsumerOptions {
  service: string;
  handlers: readonly EventHandler[];
  connections: RedisConnections;
  logger: Logger;
  /** Delay before failed or lost deliveries are retried; default 10,000 ms. */
  retryMs?: number;
}

const consumed = metrics.counter("carrel_events_consumed_total", "Events handled", [
  "service",
  "event",
  "outcome",
]);
const mostDeliveries = 20;
type Entry = [id: string, fields: string[] | null];

/**
 * Creates the consumer group of each interested service, even of those not running yet, so that
 * they receive events published in the meantime.
 */
export async function ensureEventGroups(
  redis: Redis,
  events: readonly DomainEvent[],
): Promise<void> {
  for (const service of new Set(events.flatMap((event) => event.consumers))) {
    try {
      await redis.xgroup("CREATE", eventStream, service, "0", "MKSTREAM");
    } catch (error) {
      if (!String(error).includes("BUSYGROUP")) throw error;
    }
  }
}

/**
 * Trims entries that every group has processed, up to the oldest one still pending in any group.
 */
export async function trimEvents(redis: Redis): Promise<void> {
  const groups = (await redis.xinfo("GROUPS", eventStream).catch(() => [])) as (
    string | number
  )[][];
  let lowest: string | null = null;
  for (const group of groups) {
    const facts = new Map<string, string | number>();
    for (let index = 0; index + 1 < group.length; index += 2)
      facts.set(String(group[index]), group[index + 1]!);
    const [count, first] = (await redis.xpending(eventStream, String(facts.get("name")))) as [
      number,
      string | null,
    ];
    await removeSilentConsumers(redis, eventStream, String(facts.get("name")));
    const border = count > 0 && first ? first : String(facts.get("last-delivered-id"));
    if (lowest === null || compareIds(border, lowest) < 0) lowest = border;
  }
  if (lowest !== null) await redis.xtrim(eventStream, "MINID", lowest);
}

function compareIds(left: string, right: string): number {
  const [a, b] = [left, right].map((id) => id.split("-").map(Number)) as [number[], number[]];
  return a[0]! - b[0]! || (a[1] ?? 0) - (b[1] ?? 0);
}

/**
 * Consumes a service's events through its consumer group and passes each to its handler, at least
 * once.
 */
export class EventConsumer {
  readonly #options: EventConsumerOptions;
  readonly #handlers: Map<string, EventHandler>;
  readonly #consumer = `${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly #active = new Map<string, Promise<void>>();
  #blocking: Redis | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: EventConsumerOptions) {
    this.#options = options;
    this.#handlers = new Map(options.handlers.map((handler) => [handler.event.name, handler]));
  }

  async start(): Promise<void> {
    if (this.#handlers.size === 0) return;
    this.#blocking = this.#options.connections.open(`events-${this.#options.service}`);
    // Connected before the service counts as ready.
    await this.#blocking.ping();
    this.#reading = this.#read();
    this.#timer = setInterval(() => void this.#again(), (this.#options.retryMs ?? 10_000) / 2);
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    if (this.#blocking) this.#options.connections.release(this.#blocking);
    await this.#reading;
    await Promise.race([
      Promise.all(this.#active.values()),
      new Promise((resolve) => setTimeout(resolve, timeoutMs).unref()),
    ]);
    if (this.#handlers.size > 0 && this.#active.size === 0)
      await leaveGroup(
        this.#options.connections.commands,
        eventStream,
        this.#options.service,
        this.#consumer,
      ).catch(() => undefined);
  }

  async #read(): Promise<void> {
    while (!this.#closed) {
      try {
        const reply = (await this.#blocking!.xreadgroup(
          "GROUP",
          this.#options.service,
          this.#consumer,
          "COUNT",
          16,
          "BLOCK",
          5_000,
          "STREAMS",
          eventStream,
          ">",
        )) as [string, Entry[]][] | null;
        const entries = reply?.[0]?.[1] ?? [];
        await Promise.all(entries.map((entry) => this.#handle(entry)));
      } catch (error) {
        if (this.#closed) return;
        if (String(error).includes("NOGROUP"))
          await ensureEventGroups(
            this.#options.connections.commands,
            this.#options.handlers.map((handler) => handler.event),
          ).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  /**
   * Retries entries that failed or whose replica went silent; renews the lease of those being
   * handled here.
   */
  async #again(): Promise<void> {
    const { commands } = this.#options.connections;
    try {
      if (this.#active.size > 0)
        await commands.xclaim(
          eventStream,
          this.#options.service,
          this.#consumer,
          0,
          ...this.#active.keys(),
          "JUSTID",
        );
      const [, entries] = (await commands.xautoclaim(
        eventStream,
        this.#options.service,
        this.#consumer,
        this.#options.retryMs ?? 10_000,
        "0-0",
        "COUNT",
        16,
      )) as [string, Entry[]];
      for (const entry of entries) void this.#handle(entry);
    } catch (error) {
      this.#options.logger.debug({ err: error }, "couldn't claim events");
    }
  }

  #handle([id, fields]: Entry): Promise<void> {
    const present = this.#active.get(id);
    if (present || !fields) return present ?? Promise.resolve();
    const work = this.#deliver(id, fields).finally(() => this.#active.delete(id));
    this.#active.set(id, work);
    return work;
  }

  async #deliver(id: string, fields: string[]): Promise<void> {
    const {
      service,
      connections: { commands },
      logger,
    } = this.#options;
    const values = new Map<string, string>();
    for (let index = 0; index + 1 < fields.length; index += 2)
      values.set(fields[index]!, fields[index + 1]!);
    const name = values.get("n") ?? "";
    const handler = this.#handlers.get(name);
    let outcome = handler ? "done" : "not ours";
    if (handler) {
      try {
        const payload = handler.event.payload.parse(JSON.parse(values.get("p") ?? "null"));
        await context.run(
          {
            requestId: values.get("r") || randomUUID(),
            actor: "service",
            traceparent: nextTraceparent(values.get("t")),
          },
          () => handler.run(payload),
        );
      } catch (error) {
        const [pending] = (await commands
          .xpending(eventStream, service, id, id, 1)
          .catch(() => [])) as [string, string, number, number][];
        const givenUp = isFinal(error) || (pending?.[3] ?? 1) >= mostDeliveries;
        logger.error({ err: error, event: name, givenUp }, "couldn't handle an event");
        consumed.inc({ service, event: name, outcome: givenUp ? "dead" : "failed" });
        if (!givenUp) return;
        outcome = "dead";
        await commands
          .xadd(`${eventStream}:dead`, "MAXLEN", "~", 1_000, "*", "service", service, ...fields)
          .catch(() => undefined);
      }
    }
    if (outcome === "done") consumed.inc({ service, event: name, outcome });
    // If the acknowledgement fails (Redis is down), the entry is delivered again; consumers are
    // idempotent.
    await commands.xack(eventStream, service, id).catch(() => undefined);
  }
}
