import { randomUUID } from "node:crypto";
import { CarrelError, scopeSchema, type Args, type Operation, type Out } from "@carrel/contracts";
import { metrics } from "@carrel/observability";
import { Injectable } from "@nestjs/common";
import { copyAsJson, tooLarge } from "./copy-as-json.ts";
import { maximumRequestBytes, writeHead, type RequestOptions } from "./envelope.ts";
import type { LocalServices } from "./local-requests.ts";
import type { MessageCipher } from "./message-cipher.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { RedisRequests } from "./redis-requests.ts";
import type { RequestAnswer } from "./run-operation.ts";
import type { Subscriber } from "./subscriber.ts";

const outcomes = metrics.histogram(
  "carrel_request_seconds",
  "Time from sending a request to receiving its reply",
  ["contract", "outcome"],
);

/**
 * Sends requests to services and awaits their replies; one per process. The handler of a service
 * running in this process is called directly, others are reached over Redis; callers and handlers
 * can't tell the difference.
 */
@Injectable()
export class RequestClient {
  private readonly identity = randomUUID();
  private readonly remote: RedisRequests;
  private sent = 0;
  private closed = false;

  constructor(
    connections: RedisConnections,
    subscriber: Subscriber,
    cipher: MessageCipher,
    private readonly local: LocalServices,
  ) {
    const replyTo = `rpc:reply:${this.identity}`;
    this.remote = new RedisRequests(replyTo, connections, subscriber, cipher);
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
      const answer = await this.send(operation, input, options);
      if (answer.error) throw CarrelError.fromFault(answer.error, answer.cause);
      return answer.reply as Out<Op>;
    } catch (error) {
      outcome = error instanceof CarrelError ? error.kind : "INTERNAL";
      throw error instanceof CarrelError
        ? error
        : new CarrelError("request.failed", {}, { cause: error });
    } finally {
      outcomes.observe({ contract: operation.name, outcome }, (performance.now() - started) / 1000);
    }
  }

  /** Resolves once replies from other processes are received. */
  async connect(): Promise<void> {
    await this.remote.ready;
  }

  close(): void {
    this.closed = true;
    this.remote.close();
  }

  private async send(
    operation: Operation,
    given: unknown,
    options: RequestOptions,
  ): Promise<RequestAnswer<unknown>> {
    if (this.closed) return { error: { code: "request.stopping" } };
    const input = copyAsJson(given ?? null, maximumRequestBytes);
    if (input === tooLarge) return { error: { code: "request.too-large" } };
    const id = `${this.identity}:${(this.sent += 1)}`;
    const head = writeHead({ id, replyTo: this.remote.replyTo }, operation, input, options);
    if (head.deadline <= Date.now()) return { error: { code: "request.timed-out" } };
    const local = this.local.find(operation);
    if (local) {
      const scope = scopeSchema.safeParse(head.scope);
      if (!scope.success) return { error: { code: "request.scope-unknown" } };
      head.scope = scope.data;
      const answer = await local.replica.call({ head, handler: local.handler, input });
      if (answer) return answer;
    }
    const answer = await this.remote.send(operation, head, JSON.stringify(input));
    if (answer.error) return answer;
    return { reply: answer.reply === "" ? undefined : JSON.parse(answer.reply) };
  }
}
