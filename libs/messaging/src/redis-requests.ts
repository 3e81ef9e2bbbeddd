import type { Operation } from "@carrel/contracts";
import { metrics } from "@carrel/observability";
import type { Redis } from "ioredis";
import { queueFull, splitReply, waitingLimit, type RequestHead } from "./envelope.ts";
import type { MessageCipher } from "./message-cipher.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { readEpoch } from "./redis-pulse.ts";
import {
  requestStream,
  withRequestScripts,
  withdraw,
  type RequestCommands,
} from "./request-entries.ts";
import { toUnavailable, type RequestAnswer } from "./run-operation.ts";
import { isReplyError } from "./storage-full.ts";
import type { Subscriber } from "./subscriber.ts";

interface Waiting {
  operation: Operation;
  deadline: number;
  /** The sealed entry. */
  fields: [head: string, sealed: string];
  /** Its ID in the service's stream; null until Redis has taken it. */
  entry: string | null;
  /** The reply's JSON text; empty for an operation without output. */
  end(answer: RequestAnswer<string>): void;
}

/** How often to check whether Redis was flushed. */
const epochMs = 250;

const forged = metrics.counter(
  "carrel_reply_rejected_total",
  "Replies dropped because this instance didn't seal them",
);

/** Sends requests to the services of other processes, through Redis, and awaits their replies. */
export class RedisRequests {
  private readonly redis: Redis & RequestCommands;
  private readonly commands: Redis;
  private readonly waiting = new Map<string, Waiting>();
  private readonly stopGap: () => void;
  private sweep: NodeJS.Timeout | undefined;
  private epoch: string | null = null;
  private epochAskedAt = 0;
  private closed = false;
  /** Resolves once replies are received. */
  readonly ready: Promise<unknown>;

  constructor(
    readonly replyTo: string,
    connections: RedisConnections,
    private readonly subscriber: Subscriber,
    private readonly cipher: MessageCipher,
  ) {
    this.redis = withRequestScripts(connections.once);
    this.commands = connections.commands;
    this.ready = subscriber.listen(replyTo, this.receive).ready;
    this.stopGap = subscriber.onGap(() => this.resend());
    void this.watchEpoch();
  }

  /** Never rejects; settles no later than the deadline. */
  send(operation: Operation, head: RequestHead, body: string): Promise<RequestAnswer<string>> {
    if (this.closed) return Promise.resolve({ error: { code: "request.stopping" } });
    const headText = JSON.stringify(head);
    const fields = [headText, this.cipher.seal("request", headText, body)] satisfies [
      string,
      string,
    ];
    // One timer for all deadlines.
    this.sweep ??= setInterval(() => this.expire(), 20);
    return new Promise((end) => {
      const { id, deadline } = head;
      const waiting: Waiting = { operation, deadline, fields, entry: null, end };
      this.waiting.set(id, waiting);
      void this.post(id, waiting);
    });
  }

  close(): void {
    this.closed = true;
    this.stopGap();
    this.subscriber.off(this.replyTo, this.receive);
    for (const id of [...this.waiting.keys()])
      this.settle(id, { error: { code: "request.stopping" } });
  }

  private async post(id: string, waiting: Waiting): Promise<void> {
    try {
      await this.ready;
      // Connecting may have taken so long (Redis was down) that the deadline has passed.
      if (!this.waiting.has(id)) return;
      waiting.entry = await this.redis.carrelSend(
        requestStream(waiting.operation.service),
        waitingLimit,
        ...waiting.fields,
      );
      if (waiting.entry === null) this.settle(id, { error: queueFull });
    } catch (cause) {
      // Redis is full and refused the command.
      const refused = isReplyError(cause) ? toUnavailable(cause) : null;
      if (refused) this.settle(id, { error: refused, cause });
      // The connection broke, and the command may or may not have run: repeat it only if that is
      // safe.
      else if (waiting.operation.idempotency === "none")
        this.settle(id, { error: { code: "request.connection-lost" }, cause });
      else
        setTimeout(() => {
          if (this.waiting.has(id)) void this.post(id, waiting);
        }, 50).unref();
    }
  }

  /**
   * After a Redis outage, requests and replies may be lost: those safe to repeat are sent again,
   * the others wait for their deadline.
   */
  private resend(): void {
    for (const [id, waiting] of this.waiting)
      if (waiting.operation.idempotency !== "none") void this.post(id, waiting);
  }

  /**
   * Detects a Redis flush that left the connections open and lost the waiting requests. Runs only
   * while replies are awaited.
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
    const { id, error } = reply.head;
    this.settle(id, error ? { error } : { reply: reply.body });
  };

  private settle(id: string, answer: RequestAnswer<string>): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.end(answer);
  }

  private expire(): void {
    if (this.waiting.size === 0) {
      clearInterval(this.sweep);
      this.sweep = undefined;
      return;
    }
    const now = Date.now();
    for (const [id, waiting] of this.waiting)
      if (waiting.deadline <= now) void this.giveUp(id, waiting);
    if (now - this.epochAskedAt > epochMs) void this.watchEpoch();
  }

  /**
   * A request that no replica took in time has had no effect: its service is down or overloaded.
   */
  private async giveUp(id: string, { entry, operation, end }: Waiting): Promise<void> {
    this.waiting.delete(id);
    const isUntaken =
      entry === null || (await withdraw(this.redis, requestStream(operation.service), entry));
    end({ error: { code: isUntaken ? "request.unavailable" : "request.timed-out" } });
  }
}
