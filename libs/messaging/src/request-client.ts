import { hash, randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { ClientProxy, type ReadPacket, type WritePacket } from "@nestjs/microservices";
import type { Redis } from "ioredis";
import { CarrelError, type Args, type Operation, type Out, type Scope } from "@carrel/contracts";
import { context, metrics, nextTraceparent } from "@carrel/observability";
import { maximumRequestBytes, Signer, splitReply, type RequestHead } from "./envelope.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { readEpoch } from "./redis-epoch.ts";
import { withRequestScripts, type RequestCommands } from "./request-scripts.ts";
import type { Subscriber } from "./subscriber.ts";

export interface RequestOptions {
  scope: Scope;
  /**
   * Epoch ms; defaults to now plus the operation's `timeoutMs`, capped at the deadline of the
   * surrounding work.
   */
  deadline?: number;
  idempotencyKey?: string;
}

interface Waiting {
  operation: Operation;
  fields: [head: string, body: string, signature: string];
  resolve(value: unknown): void;
  reject(error: CarrelError): void;
  deadline: number;
}

/** Above this number of requests waiting for one service, new ones are rejected. */
const waitingLimit = 5_000;
export const requestStream = (service: string): string => `rpc:${service}`;

/** How often to check whether Redis was flushed. */
const epochMs = 250;

const outcomes = metrics.histogram(
  "carrel_request_seconds",
  "Time from sending a request to receiving its reply",
  ["contract", "outcome"],
);
const forged = metrics.counter(
  "carrel_reply_rejected_total",
  "Replies dropped because of an invalid signature",
);

/** Sends requests to services over Redis and awaits their replies; one per process. */
@Injectable()
export class RequestClient extends ClientProxy {
  readonly #redis: Redis & RequestCommands;
  readonly #subscriber: Subscriber;
  readonly #signer: Signer;
  readonly #identity = randomUUID();
  readonly #replyTo = `rpc:reply:${this.#identity}`;
  #sent = 0;
  readonly #waiting = new Map<string, Waiting>();
  readonly #ready: Promise<unknown>;
  readonly #stopGap: () => void;
  #sweep: NodeJS.Timeout | undefined;
  readonly #commands: Redis;
  #epoch: string | null = null;
  #epochAskedAt = 0;
  #closed = false;

  constructor(connections: RedisConnections, subscriber: Subscriber, signer: Signer) {
    super();
    this.initializeSerializer({});
    this.initializeDeserializer({});
    this.#redis = withRequestScripts(connections.once);
    this.#commands = connections.commands;
    this.#subscriber = subscriber;
    this.#signer = signer;
    this.#ready = subscriber.listen(this.#replyTo, this.#receive).ready;
    this.#stopGap = subscriber.onGap(() => this.#resend());
    void this.#watchEpoch();
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
      return (await this.#send(operation, input, options)) as Out<Op>;
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
    return this.#ready;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopGap();
    this.#subscriber.off(this.#replyTo, this.#receive);
    for (const [id, waiting] of this.#waiting)
      this.#fail(id, waiting, new CarrelError("request.stopping"));
  }

  override unwrap<T>(): T {
    return this.#redis as T;
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

  async #send(operation: Operation, input: unknown, options: RequestOptions): Promise<unknown> {
    if (this.#closed) throw new CarrelError("request.stopping");
    const work = context.get();
    const id = `${this.#identity}:${(this.#sent += 1)}`;
    const deadline = Math.min(
      options.deadline ?? Date.now() + operation.timeoutMs,
      work?.deadline ?? Infinity,
    );
    const body = JSON.stringify(input ?? null);
    const head: RequestHead = {
      id,
      contract: operation.name,
      replyTo: this.#replyTo,
      deadline,
      scope: options.scope,
      requestId: work?.requestId ?? id,
      traceparent: nextTraceparent(work?.traceparent),
      idempotencyKey: options.idempotencyKey ?? nestedKey(operation, body) ?? id,
    };
    const headText = JSON.stringify(head);
    if (Buffer.byteLength(body) > maximumRequestBytes) throw new CarrelError("request.too-large");
    if (deadline <= Date.now()) throw timedOut();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        operation,
        fields: [headText, body, this.#signer.sign("request", headText, body)],
        resolve,
        reject,
        deadline,
      };
      this.#waiting.set(id, waiting);
      // One timer for all deadlines: a timer per request costs more than the rest of its
      // bookkeeping.
      this.#sweep ??= setInterval(() => this.#expire(), 20);
      void this.#post(id, waiting);
    });
  }

  async #post(id: string, waiting: Waiting): Promise<void> {
    try {
      await this.#ready;
      // The connection may have taken so long (Redis was down) that the deadline has passed.
      if (!this.#waiting.has(id)) return;
      const entry = await this.#redis.carrelSend(
        requestStream(waiting.operation.service),
        waitingLimit,
        ...waiting.fields,
      );
      if (entry === null)
        this.#fail(id, waiting, new CarrelError("request.queue-full", {}, { retryAfter: 1 }));
    } catch (error) {
      // The connection broke, and the command may or may not have run: repeat it only if that is
      // safe.
      if (waiting.operation.idempotency === "none")
        this.#fail(id, waiting, new CarrelError("request.connection-lost", {}, { cause: error }));
      else
        setTimeout(() => {
          if (this.#waiting.has(id)) void this.#post(id, waiting);
        }, 50).unref();
    }
  }

  /**
   * After a Redis outage, requests and replies may be lost: those safe to repeat are sent again,
   * the others wait for their deadline.
   */
  #resend(): void {
    for (const [id, waiting] of this.#waiting)
      if (waiting.operation.idempotency !== "none") void this.#post(id, waiting);
  }

  /**
   * Detects a Redis flush that left the connections open: waiting requests are lost. Runs only
   * while replies are awaited.
   */
  async #watchEpoch(): Promise<void> {
    this.#epochAskedAt = Date.now();
    const epoch = await readEpoch(this.#commands).catch(() => null);
    if (epoch === null || this.#closed) return;
    if (this.#epoch !== null && epoch !== this.#epoch) this.#resend();
    this.#epoch = epoch;
  }

  readonly #receive = (message: string): void => {
    const reply = splitReply(this.#signer, message);
    if (!reply) {
      forged.inc();
      return;
    }
    const waiting = this.#waiting.get(reply.head.id);
    if (!waiting) return;
    this.#waiting.delete(reply.head.id);
    if (reply.head.error) waiting.reject(CarrelError.fromFault(reply.head.error));
    else waiting.resolve(reply.body === "" ? undefined : JSON.parse(reply.body));
  };

  #expire(): void {
    if (this.#waiting.size === 0) {
      clearInterval(this.#sweep);
      this.#sweep = undefined;
      return;
    }
    const now = Date.now();
    if (now - this.#epochAskedAt > epochMs) void this.#watchEpoch();
    for (const [id, waiting] of this.#waiting)
      if (waiting.deadline <= now) this.#fail(id, waiting, timedOut());
  }

  #fail(id: string, waiting: Waiting, error: CarrelError): void {
    if (this.#waiting.delete(id)) waiting.reject(error);
  }
}

const timedOut = (): CarrelError => new CarrelError("request.timed-out");

/**
 * Derives idempotency keys for keyed requests nested in a keyed handler or a job. They depend on
 * the outer key and the input: a second delivery produces the same keys, and a run that takes
 * another path never gets the result of a different input.
 */
function nestedKey(operation: Operation, body: string): string | null {
  const work = context.get();
  if (operation.idempotency !== "keyed" || !work?.idempotencyKey) return null;
  const name = `${operation.name}/${hash("sha256", body, "base64url").slice(0, 22)}`;
  work.nestedKeys ??= new Map();
  const count = (work.nestedKeys.get(name) ?? 0) + 1;
  work.nestedKeys.set(name, count);
  return `${work.idempotencyKey}/${name}/${count}`;
}
