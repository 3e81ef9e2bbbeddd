import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { DomainEvent } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { Injectable } from "@nestjs/common";
import type { z } from "zod";
import type { RedisConnections } from "./redis-connections.ts";
import type { Subscriber } from "./subscriber.ts";

export const broadcastChannel = (channel: string): string => `broadcast:${channel}`;

/**
 * How long a sender waits for other processes to handle a broadcast. A suspended process handles
 * nothing, so a cache that must never be stale has to expire by then.
 */
export const handlingMs = 3_000;

const handledChannel = (sender: string): string => `broadcast-handled:${sender}`;
/** Prefix of a message: its sender and, if the sender waits until it is handled, its number. */
const markPattern = /^@([\w-]+)(?:#(\d+))? /;

type Receiver = (message: string) => void;

/** A channel with listeners in this process. */
interface Subscription {
  receivers: Set<Receiver>;
  fromRedis: Receiver;
}

/**
 * Notifies all processes, at most once. Use it to invalidate caches and to cancel work, never for
 * anything that must not be lost. Listeners in this process are called before anything else
 * happens, because a reply that stays in the process doesn't wait for Redis.
 */
@Injectable()
export class Broadcast {
  private readonly subscriptions = new Map<string, Subscription>();
  /** Marks messages in Redis, so that their sender can recognise and skip them. */
  private readonly identity = randomUUID();
  /** Called whenever a process has handled the message with this number. */
  private readonly waiting = new Map<string, () => void>();
  private readonly canWait: Promise<unknown>;
  private sent = 0;
  // Listeners don't inherit the sender's context: across Redis they couldn't.
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(
    private readonly connections: RedisConnections,
    private readonly subscriber: Subscriber,
    private readonly logger: Logger,
  ) {
    const noteHandled = (number: string): void => this.waiting.get(number)?.();
    this.canWait = subscriber.listen(handledChannel(this.identity), noteHandled).ready;
    this.canWait.catch(() => undefined);
  }

  async publish(channel: string, payload: unknown): Promise<void> {
    const message = JSON.stringify(payload ?? null);
    this.outside(() => this.deliver(channel, message));
    await this.send(channel, `@${this.identity} ${message}`);
  }

  /**
   * Like `publish`, for what is repeated anyway: while Redis is away, only listeners in this process
   * are called, and nothing waits for it.
   */
  async announce(channel: string, payload: unknown): Promise<void> {
    const message = JSON.stringify(payload ?? null);
    this.outside(() => this.deliver(channel, message));
    if (this.connections.commands.status === "ready")
      await this.send(channel, `@${this.identity} ${message}`);
  }

  /**
   * Broadcasts a domain event right after its commit. The outbox delivers the event again,
   * reliably.
   */
  async publishEvent<P extends z.ZodType>(
    event: DomainEvent<P>,
    payload: z.input<P>,
  ): Promise<void> {
    await this.publish(`event:${event.name}`, payload).catch((error: unknown) =>
      this.warn(event, error),
    );
  }

  /**
   * Like `publishEvent`, but returns once every process has called its listeners. Call it before
   * replying: whoever has the reply never reads a stale cache, whichever process they ask next.
   */
  async invalidate<P extends z.ZodType>(event: DomainEvent<P>, payload: z.input<P>): Promise<void> {
    const channel = `event:${event.name}`;
    const message = JSON.stringify(payload ?? null);
    this.outside(() => this.deliver(channel, message));
    await this.sendAndWait(channel, message).catch((error: unknown) => this.warn(event, error));
  }

  /**
   * Subscribes to a channel; domain events arrive on `event:<name>`. Returns the unsubscribe
   * function.
   */
  on(channel: string, listener: (payload: unknown) => void): () => void {
    const receive: Receiver = (message) => {
      try {
        listener(JSON.parse(message));
      } catch (error) {
        this.logger.error({ err: error, channel }, "a broadcast listener failed");
      }
    };
    const subscription = this.subscriptions.get(channel) ?? this.subscribe(channel);
    const { receivers, fromRedis } = subscription;
    receivers.add(receive);
    return () => {
      if (!receivers.delete(receive) || receivers.size > 0) return;
      this.subscriptions.delete(channel);
      this.subscriber.off(broadcastChannel(channel), fromRedis);
    };
  }

  /** Resolves once broadcasts on the channels subscribed to so far can no longer be missed. */
  confirmed(): Promise<void> {
    return this.subscriber.confirmed();
  }

  /** Whether there is a connection on which broadcasts can arrive. */
  get isConnected(): boolean {
    return this.subscriber.isConnected;
  }

  /**
   * Calls `listener` when broadcasts may have been missed (Redis was unreachable): invalidate
   * broadcast-driven caches here.
   */
  onGap(listener: () => void): () => void {
    return this.subscriber.onGap(listener);
  }

  private subscribe(channel: string): Subscription {
    const subscription: Subscription = {
      receivers: new Set(),
      fromRedis: (text) => this.receive(channel, text),
    };
    this.subscriptions.set(channel, subscription);
    this.subscriber.listen(broadcastChannel(channel), subscription.fromRedis);
    return subscription;
  }

  private deliver(channel: string, message: string): void {
    for (const receive of this.subscriptions.get(channel)?.receivers ?? []) receive(message);
  }

  private receive(channel: string, text: string): void {
    const [mark = "", sender, number] = markPattern.exec(text) ?? [];
    if (sender !== this.identity) this.deliver(channel, text.slice(mark.length));
    if (number === undefined) return;
    if (sender === this.identity) this.waiting.get(number)?.();
    else
      this.connections.commands
        .publish(handledChannel(sender!), number)
        .catch((error: unknown) =>
          this.logger.debug({ err: error }, "couldn't confirm a broadcast"),
        );
  }

  /** Returns the number of processes that receive it, including this one if it listens. */
  private send(channel: string, text: string): Promise<number> {
    return this.connections.commands.publish(broadcastChannel(channel), text);
  }

  private async sendAndWait(channel: string, message: string): Promise<void> {
    try {
      await this.canWait;
    } catch {
      await this.send(channel, `@${this.identity} ${message}`);
      return;
    }
    const number = String((this.sent += 1));
    const { promise: done, resolve: finish } = Promise.withResolvers<boolean>();
    let [handled, expected] = [0, Infinity];
    this.waiting.set(number, () => {
      handled += 1;
      if (handled >= expected) finish(true);
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      expected = await this.send(channel, `@${this.identity}#${number} ${message}`);
      if (handled >= expected) return;
      timer = setTimeout(() => finish(false), handlingMs);
      if (!(await done))
        this.logger.warn({ channel }, "not every process confirmed a broadcast in time");
    } finally {
      clearTimeout(timer);
      this.waiting.delete(number);
    }
  }

  private warn(event: DomainEvent, error: unknown): void {
    this.logger.warn({ err: error, event: event.name }, "couldn't broadcast an event immediately");
  }
}
