import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { ClientProxy, type ReadPacket, type WritePacket } from "@nestjs/microservices";
import type { Redis } from "ioredis";
import {
  CarrelError,
  scopeSchema,
  type Args,
  type Fault,
  type Operation,
  type Out,
} from "@carrel/contracts";
import { metrics } from "@carrel/observability";
import { maximumRequestBytes, splitReply, waitingLimit, type RequestHead } from "./envelope.ts";
import type { LocalRequest } from "./local-requests.ts";
import type { LocalServices } from "./local-services.ts";
import type { MessageCipher } from "./message-cipher.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { readEpoch } from "./redis-epoch.ts";
import { writeHead, type RequestOptions } from "./request-head.ts";
import { withdraw, withRequestScripts, type RequestCommands } from "./request-scripts.ts";
import type { RequestAnswer } from "./run-operation.ts";
import type { Subscriber } from "./subscriber.ts";

interface Waiting {
  operation: Operation;
  head: RequestHead;
  body: string;
  /** The sealed entry, once the request goes through Redis. */
  fields?: [head: string, sealed: string];
  /** Its ID in the service's stream; null until Redis has taken it. */
  entry: string | null;
  /** Withdraws a request given to a service of this process, unless it has been started. */
  abandon?(): boolean;
  resolve(value: unknown): void;
  reject(error: CarrelError): void;
}

/**
 * Named by the format of its entries, so that replicas of a version with another format leave them
 * alone (docs/decisions/messaging.md).
 */
export const requestStream = (service: string): string => `rpc:sealed:${service}`;

/** How often to check whether Redis was flushed. */
const epochMs = 250;

const outcomes = metrics.histogram(
  "carrel_request_seconds",
  "Time from sending a request to receiving its reply",
  ["contract", "outcome"],
);
const forged = metrics.counter(
  "carrel_reply_rejected_total",
  "Replies dropped because this instance didn't seal them",
);

/**
 * Sends requests to services and awaits their replies; one per process. A service running in this
 * process gets them directly, others over Redis; callers and handlers can't tell the difference.
 */
@Injectable()
export class RequestClient extends ClientProxy {
  private readonly redis: Redis & RequestCommands;
  private readonly identity = randomUUID();
  private readonly replyTo = `rpc:reply:${this.identity}`;
  private sent = 0;
  private readonly waiting = new Map<string, Waiting>();
  private readonly ready: Promise<unknown>;
  private readonly stopGap: () => void;
  private sweep: NodeJS.Timeout | undefined;
  private readonly commands: Redis;
  private epoch: string | null = null;
  private epochAskedAt = 0;
  private closed = false;

  constructor(
    connections: RedisConnections,
    private readonly subscriber: Subscriber,
    private readonly cipher: MessageCipher,
    private readonly local: LocalServices,
  ) {
    super();
    this.initializeSerializer({});
    this.initializeDeserializer({});
    this.redis = withRequestScripts(connections.once);
    this.commands = connections.commands;
    this.ready = subscriber.listen(this.replyTo, this.receive).ready;
    this.stopGap = subscriber.onGap(() => this.resend());
    void this.watchEpoch();
  }

  /**
   * Throws only `CarrelError`: the handler's own, or TIMEOUT, BUSY, TOO_LARGE, SERVICE_LOST,
   * UNAVAILABLE.
   */
  async request<Op extends Operation>(
    operation: Op,
    input: Args<Op>,
    options: RequestOptions,
  ): Promise<Out<Op>> {
    const started = performance.now();
    let outcome = "ok";
    try {
      return (await this.sendRequest(operation, input, options)) as Out<Op>;
    } catch (error) {
      outcome = error instanceof CarrelError ? error.kind : "INTERNAL";
      throw error instanceof CarrelError
        ? error
        : new CarrelError("request.failed", {}, { cause: error });
    } finally {
      outcomes.observe({ contract: operation.name, outcome }, (performance.now() - started) / 1000);
    }
  }

  async connect(): Promise<unknown> {
    return this.ready;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stopGap();
    this.subscriber.off(this.replyTo, this.receive);
    for (const [id, waiting] of this.waiting)
      this.fail(id, waiting, new CarrelError("request.stopping"));
  }

  override unwrap<T>(): T {
    return this.redis as T;
  }

  /** For Nest's own `send`: the packet's data is `{ operation, input, options }`. */
  protected override publish(
    packet: ReadPacket<{ operation: Operation; input: unknown; options: RequestOptions }>,
    callback: (packet: WritePacket) => void,
  ): () => void {
    this.request(packet.data.operation, packet.data.input, packet.data.options).then(
      (response) => callback({ response, isDisposed: true }),
      (err: unknown) => callback({ err, isDisposed: true }),
    );
    return () => undefined;
  }

  protected override dispatchEvent<T>(): Promise<T> {
    return Promise.reject(new Error("Domain events go through the outbox"));
  }

  private async sendRequest(
    operation: Operation,
    input: unknown,
    options: RequestOptions,
  ): Promise<unknown> {
    if (this.closed) throw new CarrelError("request.stopping");
    const id = `${this.identity}:${(this.sent += 1)}`;
    const body = JSON.stringify(input ?? null);
    const head = writeHead(id, this.replyTo, { operation, body, options });
    if (Buffer.byteLength(body) > maximumRequestBytes) throw new CarrelError("request.too-large");
    if (head.deadline <= Date.now()) throw timedOut();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { operation, head, body, entry: null, resolve, reject };
      this.waiting.set(id, waiting);
      // One timer for all deadlines: a timer per request costs more than the rest of its
      // bookkeeping.
      this.sweep ??= setInterval(() => this.expire(), 20);
      if (!this.dispatch(id, waiting)) void this.post(id, waiting);
    });
  }

  /**
   * Hands a request to its service if that runs in this process; returns false if it has to go
   * through Redis. Nothing is shared: body, reply and error are copied as JSON, the scope by its
   * schema.
   */
  private dispatch(id: string, waiting: Waiting): boolean {
    const { operation, body } = waiting;
    const service = this.local.find(operation);
    if (!service) return false;
    const scope = scopeSchema.safeParse(waiting.head.scope);
    if (!scope.success) this.settle(id, { error: { code: "request.scope-unknown" } });
    else {
      waiting.head = { ...waiting.head, scope: scope.data };
      const request: LocalRequest = {
        head: waiting.head,
        body,
        operation,
        answer: ({ body, error }) =>
          this.settle(id, { body, error: error && (JSON.parse(JSON.stringify(error)) as Fault) }),
        decline: () => {
          if (this.waiting.has(id)) void this.post(id, waiting);
        },
      };
      waiting.abandon = () => service.abandon(request);
      if (!service.take(request)) this.settle(id, { error: queueFull });
    }
    return true;
  }

  private async post(id: string, waiting: Waiting): Promise<void> {
    const fields = (waiting.fields ??= this.seal(waiting));
    try {
      await this.ready;
      // The connection may have taken so long (Redis was down) that the deadline has passed.
      if (!this.waiting.has(id)) return;
      const entry = await this.redis.carrelSend(
        requestStream(waiting.operation.service),
        waitingLimit,
        ...fields,
      );
      waiting.entry = entry;
      if (entry === null) this.settle(id, { error: queueFull });
    } catch (error) {
      // The connection broke, and the command may or may not have run: repeat it only if that is
      // safe.
      if (waiting.operation.idempotency === "none")
        this.fail(id, waiting, new CarrelError("request.connection-lost", {}, { cause: error }));
      else
        setTimeout(() => {
          if (this.waiting.has(id)) void this.post(id, waiting);
        }, 50).unref();
    }
  }

  private seal({ head, body }: Waiting): [head: string, sealed: string] {
    const headText = JSON.stringify(head);
    return [headText, this.cipher.seal("request", headText, body)];
  }

  /**
   * After a Redis outage, requests and replies may be lost: those safe to repeat are sent again,
   * the others wait for their deadline.
   */
  private resend(): void {
    for (const [id, waiting] of this.waiting)
      if (waiting.fields && waiting.operation.idempotency !== "none") void this.post(id, waiting);
  }

  /**
   * Detects a Redis flush that left the connections open and lost the waiting requests. Runs only
   * while replies are awaited from Redis.
   */
  private async watchEpoch(): Promise<void> {
    this.epochAskedAt = Date.now();
    const epoch = await readEpoch(this.commands).catch(() => null);
    if (epoch === null || this.closed) return;
    if (this.epoch !== null && epoch !== this.epoch) this.resend();
    this.epoch = epoch;
  }

  private readonly receive = (message: string): void => {
    const reply = splitReply(this.cipher, message);
    if (!reply) {
      forged.inc();
      return;
    }
    this.settle(reply.head.id, { error: reply.head.error, body: reply.body });
  };

  private settle(id: string, { error, body = "" }: RequestAnswer): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    if (error) waiting.reject(CarrelError.fromFault(error));
    else waiting.resolve(body === "" ? undefined : JSON.parse(body));
  }

  private expire(): void {
    if (this.waiting.size === 0) {
      clearInterval(this.sweep);
      this.sweep = undefined;
      return;
    }
    const now = Date.now();
    let overRedis = false;
    for (const [id, waiting] of this.waiting) {
      if (waiting.fields) overRedis = true;
      if (waiting.head.deadline <= now) void this.giveUp(id, waiting);
    }
    if (overRedis && now - this.epochAskedAt > epochMs) void this.watchEpoch();
  }

  /** A request that no replica took in time has had no effect: its service is away or overloaded. */
  private async giveUp(id: string, waiting: Waiting): Promise<void> {
    if (!this.waiting.delete(id)) return;
    const { fields, entry, operation, reject } = waiting;
    const isUntaken =
      fields === undefined
        ? waiting.abandon?.() === true
        : entry === null || (await withdraw(this.redis, requestStream(operation.service), entry));
    reject(isUntaken ? new CarrelError("request.unavailable") : timedOut());
  }

  private fail(id: string, waiting: Waiting, error: CarrelError): void {
    if (!this.waiting.delete(id)) return;
    waiting.abandon?.();
    waiting.reject(error);
  }
}

const timedOut = (): CarrelError => new CarrelError("request.timed-out");
const queueFull: Fault = { code: "request.queue-full", retryAfter: 1 };
