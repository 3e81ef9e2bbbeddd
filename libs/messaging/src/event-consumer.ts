import { randomUUID } from "node:crypto";
import type { DomainEvent } from "@carrel/contracts";
import { context, metrics, nextTraceparent, type Logger } from "@carrel/observability";
import type { Redis } from "ioredis";
import { isFinal } from "./job-runner.ts";
import { eventStream } from "./message-sender.ts";
import type { RedisConnections } from "./redis-connections.ts";
import type { RedisPulse } from "./redis-pulse.ts";
import { claimSilent, leaveGroup, removeSilentConsumers } from "./silent-consumers.ts";

export interface EventHandler {
  event: DomainEvent;
  run(payload: unknown): Promise<void>;
}
export interface EventConsumerOptions {
  service: string;
  handlers: readonly EventHandler[];
  connections: RedisConnections;
  pulse: RedisPulse;
  logger: Logger;
  /** Delay before failed or lost deliveries are retried; default 10,000 ms. */
  retryMs?: number;
}

const consumed = metrics.counter("carrel_events_consumed_total", "Events handled", [
  "service",
  "event",
  "outcome",
]);
const maxDeliveries = 20;
/**
 * The pulse detects a lost group, so a read may block for long, but a live consumer must not appear
 * silent.
 */
const blockMs = 60_000;
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
    | string
    | number
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
  private readonly handlers: Map<string, EventHandler>;
  private readonly consumer = `${process.pid}-${randomUUID().slice(0, 8)}`;
  private readonly active = new Map<string, Promise<void>>();
  private blocking: Redis | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopWatching: (() => void) | undefined;
  private claiming = false;
  private reading: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(private readonly options: EventConsumerOptions) {
    this.handlers = new Map(options.handlers.map((handler) => [handler.event.name, handler]));
  }

  async start(): Promise<void> {
    if (this.handlers.size === 0) return;
    this.blocking = this.options.connections.open(`events-${this.options.service}`);
    // Connect before the service counts as ready.
    await this.blocking.ping();
    this.reading = this.read();
    const { service, pulse, retryMs = 10_000 } = this.options;
    this.timer = setInterval(() => void this.renew(), retryMs / 2);
    this.stopWatching = pulse.watchGroup(
      {
        stream: eventStream,
        group: service,
        silentMs: retryMs,
        onSilent: () => void this.retry(),
      },
      retryMs / 2,
    );
  }

  async stop(timeoutMs: number): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    this.stopWatching?.();
    if (this.blocking) this.options.connections.release(this.blocking);
    await this.reading;
    await Promise.race([
      Promise.all(this.active.values()),
      new Promise((resolve) => setTimeout(resolve, timeoutMs).unref()),
    ]);
    if (this.handlers.size > 0 && this.active.size === 0)
      await leaveGroup(
        this.options.connections.commands,
        eventStream,
        this.options.service,
        this.consumer,
      ).catch(() => undefined);
  }

  private async read(): Promise<void> {
    while (!this.closed) {
      try {
        const reply = (await this.blocking!.xreadgroup(
          "GROUP",
          this.options.service,
          this.consumer,
          "COUNT",
          16,
          "BLOCK",
          blockMs,
          "STREAMS",
          eventStream,
          ">",
        )) as [string, Entry[]][] | null;
        const entries = reply?.[0]?.[1] ?? [];
        await Promise.all(entries.map((entry) => this.handle(entry)));
      } catch (error) {
        if (this.closed) return;
        if (String(error).includes("NOGROUP")) await this.ensureGroups();
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  private async ensureGroups(): Promise<void> {
    await ensureEventGroups(
      this.options.connections.commands,
      this.options.handlers.map((handler) => handler.event),
    ).catch(() => undefined);
  }

  /** Renews the lease of the entries being handled here. */
  private async renew(): Promise<void> {
    if (this.active.size === 0) return;
    const { service, connections, logger } = this.options;
    await connections.commands
      .xclaim(eventStream, service, this.consumer, 0, ...this.active.keys(), "JUSTID")
      .catch((error: unknown) => logger.debug({ err: error }, "couldn't renew events"));
  }

  /** Retries entries that failed or whose replica went silent. */
  private async retry(): Promise<void> {
    if (this.claiming) return;
    this.claiming = true;
    const { service, connections, logger, retryMs = 10_000 } = this.options;
    try {
      const claim = { consumer: this.consumer, silentMs: retryMs, limit: 16 };
      const entries = await claimSilent(connections.commands, eventStream, service, claim);
      for (const entry of entries) void this.handle(entry);
    } catch (error) {
      if (String(error).includes("NOGROUP")) await this.ensureGroups();
      else logger.debug({ err: error }, "couldn't claim events");
    } finally {
      this.claiming = false;
    }
  }

  private handle([id, fields]: Entry): Promise<void> {
    const present = this.active.get(id);
    if (present || !fields) return present ?? Promise.resolve();
    const work = this.deliver(id, fields).finally(() => this.active.delete(id));
    this.active.set(id, work);
    return work;
  }

  private async deliver(id: string, fields: string[]): Promise<void> {
    const {
      service,
      connections: { commands },
      logger,
    } = this.options;
    const values = new Map<string, string>();
    for (let index = 0; index + 1 < fields.length; index += 2)
      values.set(fields[index]!, fields[index + 1]!);
    const name = values.get("n") ?? "";
    const handler = this.handlers.get(name);
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
        const givenUp = isFinal(error) || (pending?.[3] ?? 1) >= maxDeliveries;
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
