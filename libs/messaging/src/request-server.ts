import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { metrics, type Logger } from "@carrel/observability";
import type { Redis } from "ioredis";
import { tooLarge } from "./copy-as-json.ts";
import { maximumReplyBytes } from "./envelope.ts";
import type { RequestHandler } from "./handle.ts";
import { LocalReplica, type LocalServices } from "./local-requests.ts";
import type { MessageCipher } from "./message-cipher.ts";
import type { RedisConnections } from "./redis-connections.ts";
import type { RedisPulse } from "./redis-pulse.ts";
import {
  RequestEntries,
  RequestReader,
  group,
  removeUnsealedRequests,
  requestStream,
  withRequestScripts,
  type Entry,
  type RequestCommands,
} from "./request-entries.ts";
import { dropped, runOperation } from "./run-operation.ts";
import {
  claimSilent,
  countDeliveries,
  leaveGroup,
  removeSilentConsumers,
} from "./silent-consumers.ts";

const takenOver = metrics.counter(
  "carrel_request_taken_over_total",
  "Requests taken over from a replica that stopped responding",
  ["service"],
);

export interface RequestServerOptions {
  service: string;
  handlers: readonly RequestHandler[];
  connections: RedisConnections;
  pulse: RedisPulse;
  /** Where callers in this process find the service. */
  local: LocalServices;
  cipher: MessageCipher;
  logger: Logger;
  /** Maximum number of requests handled concurrently; default 64. */
  concurrency?: number;
  /**
   * A replica that has not renewed its leases for this long is considered dead; default 5,000 ms.
   */
  leaseMs?: number;
}

/**
 * Takes a service's requests: calls from its own process, and those in the service's Redis Stream,
 * each of which exactly one live replica gets. Requests from Redis held by a silent replica are
 * taken over if their contract may run twice, and answered with SERVICE_LOST otherwise.
 */
export class RequestServer {
  private readonly consumer = `${process.pid}-${randomUUID().slice(0, 8)}`;
  private readonly options: Required<RequestServerOptions>;
  private readonly stream: string;
  private readonly redis: Redis & RequestCommands;
  private readonly reader: RequestReader;
  private readonly entries: RequestEntries;
  private readonly held = new Set<string>();
  private readonly local: LocalReplica;
  private renewal: NodeJS.Timeout | undefined;
  private stopWatching: (() => void) | undefined;
  private draining = false;
  private renewing = false;
  private takingOver = false;
  /**
   * When this process last renewed its leases; after a gap, it was suspended and may have lost
   * them.
   */
  private lastBeat = Date.now();
  private doubtUntil = 0;
  private cleanedAt = Date.now();

  constructor(options: RequestServerOptions) {
    this.options = {
      ...options,
      concurrency: options.concurrency ?? 64,
      leaseMs: options.leaseMs ?? 5_000,
    };
    this.stream = requestStream(options.service);
    const handlers = new Map(
      options.handlers.map((handler) => [handler.operation.name, handler] as const),
    );
    this.redis = withRequestScripts(options.connections.commands);
    this.reader = new RequestReader({
      service: options.service,
      stream: this.stream,
      consumer: this.consumer,
      connections: options.connections,
      redis: this.redis,
      room: () => this.room,
      take: (entry) => this.take(entry),
    });
    const { service, cipher, logger } = options;
    this.entries = new RequestEntries({
      service,
      stream: this.stream,
      redis: this.redis,
      handlers,
      cipher,
      logger,
    });
    // An eighth is reserved for Redis, so that this process's own load can't starve other callers.
    const localLimit = Math.ceil(this.options.concurrency * (7 / 8));
    this.local = new LocalReplica(handlers, {
      service,
      hasRoom: (running) => running < localLimit && this.room > 0,
      onRoom: () => this.reader.wake(),
      logger,
    });
  }

  async start(): Promise<void> {
    await this.reader.start();
    const { service, leaseMs, local, pulse, logger } = this.options;
    void removeUnsealedRequests(this.redis, service, logger);
    const beatMs = Math.max(50, leaseMs / 5);
    this.renewal = setInterval(() => void this.renew(), beatMs);
    this.stopWatching = pulse.watchGroup(
      { stream: this.stream, group, silentMs: leaseMs, onSilent: () => void this.takeOver() },
      beatMs,
    );
    this.lastBeat = Date.now();
    local.add(service, this.local);
  }

  /**
   * Takes no more requests and waits up to `timeoutMs` for running ones; the rest is left to
   * another replica.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.draining = true;
    this.stopWatching?.();
    this.options.local.remove(this.options.service, this.local);
    await this.reader.stop();
    // Not before, or this replica would read them again from Redis.
    this.local.declineWaiting();
    const until = Date.now() + timeoutMs;
    while (this.held.size + this.local.running > 0 && Date.now() < until) await pause(20);
    clearInterval(this.renewal);
    if (this.held.size === 0)
      await leaveGroup(this.redis, this.stream, group, this.consumer).catch((error: unknown) =>
        this.options.logger.debug({ err: error }, "the consumer stays registered"),
      );
  }

  async close(): Promise<void> {
    if (!this.draining) await this.drain(0);
    // The drain may have been abandoned because of Redis; nothing here may keep the process alive.
    clearInterval(this.renewal);
    this.local.close();
  }

  private get room(): number {
    return this.options.concurrency - this.held.size - this.local.running;
  }

  private take([id, fields]: Entry): void {
    if (this.held.has(id)) return;
    this.held.add(id);
    void this.handle(id, fields ?? [])
      .catch((error: unknown) =>
        this.options.logger.error({ err: error }, "couldn't answer a request"),
      )
      .finally(() => {
        this.held.delete(id);
        this.local.advance();
        this.reader.wake();
      });
  }

  private async handle(id: string, fields: string[]): Promise<void> {
    const request = this.entries.open(id, fields);
    if (!request) return this.entries.remove(id);
    const { head } = request;
    if (head.deadline <= Date.now()) return this.entries.drop(id, "deadline");
    if (
      this.mayHaveLost() &&
      !(await this.redis.carrelRenew(this.stream, group, this.consumer, id)).includes(id)
    ) {
      dropped.inc({ service: this.options.service, reason: "taken over" });
      return;
    }
    const { logger } = this.options;
    await this.entries.answer(id, head, await runOperation(request, { write: writeReply, logger }));
  }

  private mayHaveLost(): boolean {
    const now = Date.now();
    return now < this.doubtUntil || now - this.lastBeat > this.options.leaseMs / 2;
  }

  /** Renews the requests this replica still owns. */
  private async renew(): Promise<void> {
    if (this.mayHaveLost()) this.doubtUntil = Date.now() + this.options.leaseMs;
    this.lastBeat = Date.now();
    if (this.renewing) return;
    this.renewing = true;
    try {
      await this.renewHeld();
      if (Date.now() - this.cleanedAt > 60_000) {
        this.cleanedAt = Date.now();
        await removeSilentConsumers(this.redis, this.stream, group);
      }
    } catch (error) {
      await this.recover(error, "couldn't renew leases");
    } finally {
      this.renewing = false;
    }
  }

  private async renewHeld(): Promise<void> {
    if (this.held.size > 0)
      await this.redis.carrelRenew(this.stream, group, this.consumer, ...this.held);
  }

  private async recover(error: unknown, message: string): Promise<void> {
    if (String(error).includes("NOGROUP")) await this.reader.ensureGroup().catch(() => undefined);
    else this.options.logger.debug({ err: error }, message);
  }

  private async takeOver(): Promise<void> {
    if (this.takingOver || this.draining) return;
    this.takingOver = true;
    try {
      // Comes first, because after a suspension the silent ones may be its own.
      await this.renewHeld();
      await this.takeOverSilent();
    } catch (error) {
      await this.recover(error, "couldn't take over requests");
    } finally {
      this.takingOver = false;
    }
  }

  /** Takes over the requests of silent replicas. */
  private async takeOverSilent(): Promise<void> {
    const room = this.room;
    if (room <= 0) return;
    const claim = { consumer: this.consumer, silentMs: this.options.leaseMs, limit: room };
    const entries = await claimSilent(this.redis, this.stream, group, claim);
    for (const entry of entries) {
      const [id, fields] = entry;
      if (!fields || this.held.has(id)) continue;
      takenOver.inc({ service: this.options.service });
      const request = this.entries.open(id, fields);
      if (!request) {
        await this.entries.remove(id);
        continue;
      }
      const { head, handler } = request;
      const deliveries = await countDeliveries(this.redis, this.stream, group, id);
      if (deliveries > 2) await this.entries.bury(id, fields, head);
      else if (head.deadline <= Date.now()) await this.entries.drop(id, "deadline");
      else if (handler.operation.idempotency === "none")
        await this.entries.answer(id, head, { error: { code: "request.service-lost" } });
      else this.take(entry);
    }
  }
}

/** A reply's JSON text; empty for an operation without output. */
function writeReply(output: unknown): string | typeof tooLarge {
  const text = output === undefined ? "" : JSON.stringify(output);
  return Buffer.byteLength(text) > maximumReplyBytes ? tooLarge : text;
}
