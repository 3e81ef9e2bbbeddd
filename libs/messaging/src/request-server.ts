import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Server, type CustomTransportStrategy } from "@nestjs/microservices";
import type { Redis } from "ioredis";
import { lastValueFrom } from "rxjs";
import type { Operation } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { joinReply, type ReplyHead, type RequestHead, type Signer } from "./envelope.ts";
import { executeRequest } from "./execute-request.ts";
import type { RequestContext } from "./handle.ts";
import { LocalRequests } from "./local-requests.ts";
import type { LocalServices } from "./local-services.ts";
import { openRequest, refusalOf, type OpenedRequest } from "./open-request.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { requestStream } from "./request-client.ts";
import { deadLetters, dropped, takenOver } from "./request-metrics.ts";
import { group, RequestReader, type Entry } from "./request-reader.ts";
import { withRequestScripts, type RequestCommands } from "./request-scripts.ts";
import type { RequestAnswer } from "./run-operation.ts";
import {
  claimSilent,
  countDeliveries,
  leaveGroup,
  removeSilentConsumers,
} from "./silent-consumers.ts";

export interface RequestServerOptions {
  service: string;
  operations: readonly Operation[];
  connections: RedisConnections;
  /** Where callers in this process find the service. */
  local: LocalServices;
  signer: Signer;
  logger: Logger;
  /** Maximum number of requests handled concurrently; default 64. */
  concurrency?: number;
  /**
   * A replica that has not renewed its leases for this long is considered dead; default 5,000 ms.
   */
  leaseMs?: number;
}

/**
 * Nest transport that takes requests from callers in this process and from the service's Redis
 * Stream, so that exactly one live replica gets each. Requests from Redis that a silent replica
 * holds are taken over if their contract may run twice, and answered with SERVICE_LOST otherwise.
 */
export class RequestServer extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol("carrel redis streams");
  readonly consumer = `${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly #options: Required<RequestServerOptions>;
  readonly #stream: string;
  readonly #operations: Map<string, Operation>;
  readonly #redis: Redis & RequestCommands;
  readonly #reader: RequestReader;
  readonly #held = new Set<string>();
  readonly #local: LocalRequests;
  #renewal: NodeJS.Timeout | undefined;
  #draining = false;
  #renewing = false;
  /**
   * When this process last renewed its leases; after a gap it was suspended and may have lost them.
   */
  #lastBeat = Date.now();
  #doubtUntil = 0;
  #cleanedAt = Date.now();

  constructor(options: RequestServerOptions) {
    super();
    this.#options = {
      ...options,
      concurrency: options.concurrency ?? 64,
      leaseMs: options.leaseMs ?? 5_000,
    };
    this.#stream = requestStream(options.service);
    this.#operations = new Map(options.operations.map((operation) => [operation.name, operation]));
    this.#redis = withRequestScripts(options.connections.commands);
    this.#reader = new RequestReader({
      service: options.service,
      stream: this.#stream,
      consumer: this.consumer,
      connections: options.connections,
      redis: this.#redis,
      room: () => this.#room,
      take: (entry) => this.#take(entry),
    });
    // An eighth is kept for Redis, so that this process's own load can't starve other callers.
    const localLimit = Math.ceil(this.#options.concurrency * (7 / 8));
    this.#local = new LocalRequests({
      operations: this.#operations,
      hasRoom: (running) => running < localLimit && this.#room > 0,
      run: (request) => this.#execute(request),
      onExpired: () => dropped.inc({ service: options.service, reason: "deadline" }),
      onRoom: () => this.#reader.wake(),
    });
    this.initializeSerializer({});
    this.initializeDeserializer({});
  }

  listen(callback: (error?: unknown) => void): void {
    this.#reader.start().then(() => {
      this.#renewal = setInterval(
        () => void this.#renew(),
        Math.max(50, this.#options.leaseMs / 5),
      );
      this.#lastBeat = Date.now();
      this.#options.local.add(this.#options.service, this.#local);
      callback();
    }, callback);
  }

  /**
   * Takes no more requests and waits up to `timeoutMs` for running ones; the rest is left to
   * another replica.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#draining = true;
    this.#options.local.remove(this.#options.service, this.#local);
    await this.#reader.stop();
    // Only now, so that this replica doesn't read them again from Redis.
    this.#local.declineWaiting();
    const until = Date.now() + timeoutMs;
    while (this.#held.size + this.#local.running > 0 && Date.now() < until) await pause(20);
    clearInterval(this.#renewal);
    if (this.#held.size === 0)
      await leaveGroup(this.#redis, this.#stream, group, this.consumer).catch((error: unknown) =>
        this.#options.logger.debug({ err: error }, "the consumer stays registered"),
      );
  }

  async close(): Promise<void> {
    if (!this.#draining) await this.drain(0);
    // The drain may have been abandoned because of Redis; nothing here may keep the process alive.
    clearInterval(this.#renewal);
  }
  override on(): never {
    throw new Error("RequestServer has no events");
  }
  override unwrap<T>(): T {
    return this.#redis as T;
  }
  get #room(): number {
    return this.#options.concurrency - this.#held.size - this.#local.running;
  }

  #execute(request: OpenedRequest): Promise<RequestAnswer> {
    return executeRequest(request, this.#handlerOf(request.head.contract), this.#options.logger);
  }

  /** Replaces getHandlerByPattern, which first parses each pattern as JSON. */
  #handlerOf(
    contract: string,
  ): ((input: unknown, ctx: RequestContext) => Promise<unknown>) | undefined {
    const handler = this.messageHandlers.get(contract);
    return handler === undefined
      ? undefined
      : async (input, ctx) =>
          lastValueFrom(this.transformToObservable(await handler(input, ctx)), {
            defaultValue: undefined,
          });
  }

  #take([id, fields]: Entry): void {
    if (this.#held.has(id)) return;
    this.#held.add(id);
    void this.#handle(id, fields ?? [])
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error }, "couldn't answer a request"),
      )
      .finally(() => {
        this.#held.delete(id);
        this.#local.advance();
        this.#reader.wake();
      });
  }

  async #handle(id: string, fields: string[]): Promise<void> {
    const request = this.#open(id, fields);
    if (!request) return this.#done(id);
    const { head } = request;
    if (head.deadline <= Date.now()) return this.#drop(id, "deadline");
    if (
      this.#mayHaveLost() &&
      !(await this.#redis.carrelRenew(this.#stream, group, this.consumer, id)).includes(id)
    ) {
      dropped.inc({ service: this.#options.service, reason: "taken over" });
      return;
    }
    await this.#answer(id, head, await this.#execute(request));
  }

  /**
   * Returns null unless the request is complete, signed by this instance, and for an operation of
   * this service.
   */
  #open(id: string, fields: string[]): OpenedRequest | null {
    const { service, signer, logger } = this.#options;
    const request = openRequest(fields, signer, this.#operations);
    if (!("fault" in request)) return request;
    if (request.fault === "unsigned") {
      dropped.inc({ service, reason: "signature" });
      logger.warn({ entry: id }, "dropped a request without a valid signature");
    } else {
      dropped.inc({ service, reason: `unknown ${request.fault}` });
      this.#publish(request.head, { error: refusalOf(request) });
    }
    return null;
  }

  /** Both commands are issued in the same tick and therefore sent in one packet. */
  async #answer(id: string, head: RequestHead, answer: RequestAnswer): Promise<void> {
    this.#publish(head, answer);
    await this.#done(id);
  }

  #publish(head: RequestHead, answer: RequestAnswer): void {
    const reply: ReplyHead = { id: head.id, ...(answer.error ? { error: answer.error } : {}) };
    this.#redis
      .publish(
        head.replyTo,
        joinReply(this.#options.signer, JSON.stringify(reply), answer.body ?? ""),
      )
      .catch((error: unknown) =>
        this.#options.logger.warn({ err: error }, "couldn't send a reply"),
      );
  }

  async #done(id: string): Promise<void> {
    await this.#redis.carrelDone(this.#stream, group, id);
  }

  async #drop(id: string, reason: string): Promise<void> {
    dropped.inc({ service: this.#options.service, reason });
    await this.#done(id);
  }

  #mayHaveLost(): boolean {
    const now = Date.now();
    return now < this.#doubtUntil || now - this.#lastBeat > this.#options.leaseMs / 2;
  }

  /** Renews the requests this replica still owns, then takes over those of silent replicas. */
  async #renew(): Promise<void> {
    if (this.#mayHaveLost()) this.#doubtUntil = Date.now() + this.#options.leaseMs;
    this.#lastBeat = Date.now();
    if (this.#renewing) return;
    this.#renewing = true;
    try {
      if (this.#held.size > 0)
        await this.#redis.carrelRenew(this.#stream, group, this.consumer, ...this.#held);
      if (!this.#draining) await this.#takeOver();
      if (Date.now() - this.#cleanedAt > 60_000) {
        this.#cleanedAt = Date.now();
        await removeSilentConsumers(this.#redis, this.#stream, group);
      }
    } catch (error) {
      if (String(error).includes("NOGROUP"))
        await this.#reader.ensureGroup().catch(() => undefined);
      else this.#options.logger.debug({ err: error }, "couldn't renew leases");
    } finally {
      this.#renewing = false;
    }
  }

  async #takeOver(): Promise<void> {
    const room = this.#room;
    if (room <= 0) return;
    const claim = { consumer: this.consumer, silentMs: this.#options.leaseMs, limit: room };
    const entries = await claimSilent(this.#redis, this.#stream, group, claim);
    for (const entry of entries) {
      const [id, fields] = entry;
      if (!fields || this.#held.has(id)) continue;
      takenOver.inc({ service: this.#options.service });
      const request = this.#open(id, fields);
      if (!request) {
        await this.#done(id);
        continue;
      }
      const { head, operation } = request;
      const deliveries = await countDeliveries(this.#redis, this.#stream, group, id);
      if (deliveries > 2) await this.#bury(id, fields, head);
      else if (head.deadline <= Date.now()) await this.#drop(id, "deadline");
      else if (operation.idempotency === "none")
        await this.#answer(id, head, { error: { code: "request.service-lost" } });
      else this.#take(entry);
    }
  }

  /** Keeps a request that crashed every replica it ran on for inspection; it is never run again. */
  async #bury(id: string, fields: string[], head: RequestHead): Promise<void> {
    deadLetters.inc({ service: this.#options.service, contract: head.contract });
    this.#options.logger.error(
      { contract: head.contract, requestId: head.requestId },
      "gave up on a request: every replica that took it stopped responding",
    );
    await this.#redis.xadd(`${this.#stream}:dead`, "MAXLEN", "~", 1_000, "*", ...fields);
    await this.#answer(id, head, { error: { code: "request.given-up" } });
  }
}
