import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Server, type CustomTransportStrategy } from "@nestjs/microservices";
import type { Redis } from "ioredis";
import { lastValueFrom } from "rxjs";
import { scopeSchema, type Operation } from "@carrel/contracts";
import { context, metrics, type Logger } from "@carrel/observability";
import {
  joinReply,
  maximumReplyBytes,
  type ReplyHead,
  type RequestHead,
  type Signer,
  type WireError,
} from "./envelope.ts";
import type { RequestContext } from "./handle.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { internalError, toWireError } from "./request-error.ts";
import { requestStream } from "./request-client.ts";
import { withRequestScripts, type RequestCommands } from "./request-scripts.ts";
import { leaveGroup, removeSilentConsumers } from "./silent-consumers.ts";

export interface RequestServerOptions {
  service: string;
  operations: readonly Operation[];
  connections: RedisConnections;
  signer: Signer;
  logger: Logger;
  /** Requests handled at the same time; default 64. */
  concurrency?: number;
  /** A replica that renewed nothing for so long is taken for dead; default 5,000 ms. */
  leaseMs?: number;
}

const group = "replicas";
const blockMs = 2_000;
type Entry = [id: string, fields: string[] | null];

const dropped = metrics.counter("carrel_request_dropped_total", "Requests not run", [
  "service",
  "reason",
]);
const handled = metrics.histogram("carrel_request_handle_seconds", "Time a handler took", [
  "contract",
  "outcome",
]);
const deadLetters = metrics.counter(
  "carrel_request_dead_total",
  "Requests that were delivered more than twice without an answer",
  ["service", "contract"],
);
const takenOver = metrics.counter(
  "carrel_request_taken_over_total",
  "Requests taken over from a replica that went silent",
  ["service"],
);

/**
 * Nest transport: takes requests from the service's Redis Stream, so that exactly one live replica
 * gets each. What a
 * silent replica held is taken over where its contract may run twice, and answered SERVICE_LOST
 * where not.
 */
export class RequestServer extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol("carrel redis streams");
  readonly consumer = `${process.pid}-${randomUUID().slice(0, 8)}`;
  readonly #options: Required<RequestServerOptions>;
  readonly #stream: string;
  readonly #operations: Map<string, Operation>;
  readonly #redis: Redis & RequestCommands;
  readonly #held = new Set<string>();
  #blocking: Redis | undefined;
  #blockingId = 0;
  #renewal: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;
  #draining = false;
  #renewing = false;
  /**
   * When this process last proved that it turns; a gap means that it stood still and may own
   * nothing any more.
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
    this.initializeSerializer({});
    this.initializeDeserializer({});
  }

  listen(callback: (error?: unknown) => void): void {
    this.#ensureGroup().then(async () => {
      this.#blocking = this.#options.connections.open(`rpc-${this.#options.service}`);
      this.#blockingId = await this.#blocking.client("ID");
      this.#renewal = setInterval(
        () => void this.#renew(),
        Math.max(50, this.#options.leaseMs / 5),
      );
      this.#lastBeat = Date.now();
      this.#reading = this.#read();
      callback();
    }, callback);
  }

  /**
   * Takes no more requests and waits until those at work are answered, `timeoutMs` at most; what is
   * left then is for another replica.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#draining = true;
    this.#wake?.();
    await this.#stopReading();
    const until = Date.now() + timeoutMs;
    while (this.#held.size > 0 && Date.now() < until) await pause(20);
    clearInterval(this.#renewal);
    if (this.#held.size === 0)
      await leaveGroup(this.#redis, this.#stream, group, this.consumer).catch((error: unknown) =>
        this.#options.logger.debug({ err: error }, "the consumer stays registered"),
      );
  }

  /**
   * Ends the blocking read without losing what it had just taken: the server answers it, with
   * entries or with nothing.
   */
  async #stopReading(): Promise<void> {
    const blocking = this.#blocking;
    if (!blocking) return;
    const unblocked =
      blocking.status === "ready"
        ? this.#redis.client("UNBLOCK", this.#blockingId).catch(() => 0)
        : Promise.resolve(0);
    // Reconnected meanwhile (another id): the read ends by itself. Redis away: nobody answers.
    const answered = new AbortController();
    await Promise.race([
      Promise.all([unblocked, this.#reading]),
      pause(blockMs + 500, undefined, { signal: answered.signal }).catch(() => undefined),
    ]);
    answered.abort();
    this.#options.connections.release(blocking);
    await this.#reading;
  }

  async close(): Promise<void> {
    if (!this.#draining) await this.drain(0);
    // A drain that Redis kept waiting was given up: nothing here may hold the process.
    clearInterval(this.#renewal);
  }
  override on(): never {
    throw new Error("RequestServer has no events");
  }
  override unwrap<T>(): T {
    return this.#redis as T;
  }
  /** Requests at work. */
  get active(): number {
    return this.#held.size;
  }

  async #ensureGroup(): Promise<void> {
    try {
      // From 0: requests that were sent before the group existed (or before it was lost) are
      // answered too.
      await this.#redis.xgroup("CREATE", this.#stream, group, "0", "MKSTREAM");
    } catch (error) {
      if (!String(error).includes("BUSYGROUP")) throw error;
    }
  }

  async #read(): Promise<void> {
    while (!this.#draining) {
      const room = this.#options.concurrency - this.#held.size;
      if (room <= 0) {
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
          this.consumer,
          "COUNT",
          Math.min(room, 16),
          "BLOCK",
          blockMs,
          "STREAMS",
          this.#stream,
          ">",
        )) as [string, Entry[]][] | null;
        for (const [, entries] of reply ?? []) for (const entry of entries) this.#take(entry);
      } catch (error) {
        if (this.#draining) return;
        if (String(error).includes("NOGROUP")) await this.#ensureGroup().catch(() => pause(200));
        else await pause(200);
      }
    }
  }

  #take([id, fields]: Entry): void {
    if (this.#held.has(id)) return;
    this.#held.add(id);
    void this.#handle(id, fields ?? [])
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error }, "a request could not be answered"),
      )
      .finally(() => {
        this.#held.delete(id);
        this.#wake?.();
        this.#wake = undefined;
      });
  }

  async #handle(id: string, fields: string[]): Promise<void> {
    const request = this.#open(id, fields);
    if (!request) return this.#done(id);
    const { head, body, operation } = request;
    if (head.deadline <= Date.now()) return this.#drop(id, "deadline");
    if (
      this.#mayHaveLost() &&
      !(await this.#redis.carrelRenew(this.#stream, group, this.consumer, id)).includes(id)
    ) {
      dropped.inc({ service: this.#options.service, reason: "taken over" });
      return;
    }
    const started = performance.now();
    const work = {
      requestId: head.requestId,
      actor: actorOf(head),
      traceparent: head.traceparent,
      deadline: head.deadline,
      idempotencyKey: head.idempotencyKey,
    };
    const answer = await context.run(work, () => this.#run(operation, head, body));
    handled.observe(
      { contract: head.contract, outcome: answer.error?.code ?? "ok" },
      (performance.now() - started) / 1000,
    );
    await this.#answer(id, head, answer);
  }

  /**
   * The request, when it is whole, signed by this instance and for an operation of this service.
   */
  #open(
    id: string,
    fields: string[],
  ): { head: RequestHead; body: string; operation: Operation } | null {
    const values = new Map<string, string>();
    for (let index = 0; index + 1 < fields.length; index += 2)
      values.set(fields[index]!, fields[index + 1]!);
    const [headText, body, signature] = [values.get("h"), values.get("b"), values.get("s")];
    if (
      headText === undefined ||
      body === undefined ||
      signature === undefined ||
      !this.#options.signer.verify("request", headText, body, signature)
    ) {
      dropped.inc({ service: this.#options.service, reason: "signature" });
      this.#options.logger.warn({ entry: id }, "a request without a valid signature was dropped");
      return null;
    }
    const head = JSON.parse(headText) as RequestHead;
    const operation = this.#operations.get(head.contract);
    if (operation && scopeSchema.safeParse(head.scope).success) return { head, body, operation };
    dropped.inc({ service: this.#options.service, reason: "unknown" });
    this.#publish(head, {
      error: { code: "UNSUPPORTED", message: `This version has no operation ${head.contract}.` },
    });
    return null;
  }

  async #run(
    operation: Operation,
    head: RequestHead,
    body: string,
  ): Promise<{ body?: string; error?: WireError }> {
    const input = await operation.input.safeParseAsync(JSON.parse(body));
    if (!input.success) {
      const issues = input.error.issues.map((issue) => ({
        path: issue.path.join("."),
        message: issue.message,
      }));
      return {
        error: {
          code: "BAD_INPUT",
          message: issues
            .map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message))
            .join("; "),
          details: { issues },
        },
      };
    }
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new DOMException("The caller no longer waits", "TimeoutError")),
      Math.max(0, Math.min(head.deadline - Date.now(), 2 ** 31 - 1)),
    );
    try {
      // Not getHandlerByPattern: it parses each pattern as JSON first, and names are no JSON.
      const handler = this.messageHandlers.get(head.contract);
      if (!handler)
        return { error: { code: "UNSUPPORTED", message: `Nothing handles ${head.contract}.` } };
      const known: RequestContext = {
        scope: head.scope,
        requestId: head.requestId,
        deadline: head.deadline,
        signal: abort.signal,
        idempotencyKey: head.idempotencyKey,
        contract: head.contract,
      };
      const result = await lastValueFrom(
        this.transformToObservable(await handler(input.data, known)),
        { defaultValue: undefined },
      );
      const output = await operation.output.safeParseAsync(result);
      if (!output.success) {
        this.#options.logger.error(
          { contract: head.contract, issues: output.error.issues },
          "a handler answered something else than its contract says",
        );
        return { error: internalError };
      }
      const text = output.data === undefined ? "" : JSON.stringify(output.data);
      if (Buffer.byteLength(text) > maximumReplyBytes) {
        this.#options.logger.error(
          { contract: head.contract, bytes: Buffer.byteLength(text) },
          "a reply is too large",
        );
        return {
          error: {
            code: "TOO_LARGE",
            message: "The answer is too large to send at once.",
            details: { limit: maximumReplyBytes },
          },
        };
      }
      return { body: text };
    } catch (error) {
      const wire = toWireError(error);
      if (wire) return { error: wire };
      this.#options.logger.error({ err: error, contract: head.contract }, "a handler failed");
      return { error: internalError };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Reply and acknowledgement leave in one pipeline. */
  async #answer(
    id: string,
    head: RequestHead,
    answer: { body?: string; error?: WireError },
  ): Promise<void> {
    this.#publish(head, answer);
    await this.#done(id);
  }

  #publish(head: RequestHead, answer: { body?: string; error?: WireError }): void {
    const reply: ReplyHead = { id: head.id, ...(answer.error ? { error: answer.error } : {}) };
    this.#redis
      .publish(
        head.replyTo,
        joinReply(this.#options.signer, JSON.stringify(reply), answer.body ?? ""),
      )
      .catch((error: unknown) =>
        this.#options.logger.warn({ err: error }, "a reply could not be sent"),
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

  /** Renews what this replica still owns, then takes over what silent ones held. */
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
      if (String(error).includes("NOGROUP")) await this.#ensureGroup().catch(() => undefined);
      else this.#options.logger.debug({ err: error }, "leases could not be renewed");
    } finally {
      this.#renewing = false;
    }
  }

  async #takeOver(): Promise<void> {
    const room = this.#options.concurrency - this.#held.size;
    if (room <= 0) return;
    const [, entries] = (await this.#redis.xautoclaim(
      this.#stream,
      group,
      this.consumer,
      this.#options.leaseMs,
      "0-0",
      "COUNT",
      Math.min(room, 16),
    )) as [string, Entry[]];
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
      const [pending] = (await this.#redis.xpending(this.#stream, group, id, id, 1)) as [
        string,
        string,
        number,
        number,
      ][];
      if ((pending?.[3] ?? 1) > 2) await this.#bury(id, fields, head);
      else if (head.deadline <= Date.now()) await this.#drop(id, "deadline");
      else if (operation.idempotency === "none")
        await this.#answer(id, head, {
          error: {
            code: "SERVICE_LOST",
            message:
              "The service stopped while it worked on this; it may or may not have been done.",
          },
        });
      else this.#take(entry);
    }
  }

  /**
   * A request that ended the replicas which took it is kept for a person to look at, and never run
   * again.
   */
  async #bury(id: string, fields: string[], head: RequestHead): Promise<void> {
    deadLetters.inc({ service: this.#options.service, contract: head.contract });
    this.#options.logger.error(
      { contract: head.contract, requestId: head.requestId },
      "a request was given up: every replica that took it went silent",
    );
    await this.#redis.xadd(`${this.#stream}:dead`, "MAXLEN", "~", 1_000, "*", ...fields);
    await this.#answer(id, head, {
      error: { code: "SERVICE_LOST", message: "The service could not finish this request." },
    });
  }
}

const actorOf = ({ scope: { principal } }: RequestHead): string =>
  principal.userId === null ? principal.kind : `${principal.kind}:${principal.userId}`;
