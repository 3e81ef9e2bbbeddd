import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import type { z } from "zod";
import type { DomainEvent } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import type { RedisConnections } from "./redis-connections.ts";
import type { Subscriber } from "./subscriber.ts";

export const broadcastChannel = (channel: string): string => `broadcast:${channel}`;

type Receiver = (message: string) => void;

/**
 * Notifies all processes, at most once. Use it to invalidate caches and to cancel work, never for
 * anything that must not be lost. Listeners in this process are called before anything else
 * happens, because a reply that stays in the process doesn't wait for Redis.
 */
@Injectable()
export class Broadcast {
  readonly #connections: RedisConnections;
  readonly #subscriber: Subscriber;
  readonly #logger: Logger;
  readonly #receivers = new Map<string, Set<Receiver>>();
  /** Prefixes a message in Redis, so that its sender can recognise and skip it. */
  readonly #mark = `@${randomUUID()} `;
  // Listeners don't inherit the sender's context: across Redis they couldn't.
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(connections: RedisConnections, subscriber: Subscriber, logger: Logger) {
    this.#connections = connections;
    this.#subscriber = subscriber;
    this.#logger = logger;
  }

  async publish(channel: string, payload: unknown): Promise<void> {
    const message = JSON.stringify(payload ?? null);
    this.#outside(() => {
      for (const receive of this.#receivers.get(channel) ?? []) receive(message);
    });
    await this.#connections.commands.publish(broadcastChannel(channel), this.#mark + message);
  }

  /**
   * Broadcasts a domain event right after its commit, before the reply is sent, so that a caller
   * who has the reply never hits a stale cache. The outbox delivers the event again, reliably.
   */
  async publishEvent<P extends z.ZodType>(
    event: DomainEvent<P>,
    payload: z.input<P>,
  ): Promise<void> {
    await this.publish(`event:${event.name}`, payload).catch((error: unknown) =>
      this.#logger.warn(
        { err: error, event: event.name },
        "couldn't broadcast an event immediately",
      ),
    );
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
        this.#logger.error({ err: error, channel }, "a broadcast listener failed");
      }
    };
    const receiveFromRedis: Receiver = (text) => {
      if (!text.startsWith(this.#mark)) receive(text.replace(/^@\S+ /, ""));
    };
    const receivers = this.#receivers.get(channel) ?? new Set();
    this.#receivers.set(channel, receivers.add(receive));
    this.#subscriber.listen(broadcastChannel(channel), receiveFromRedis);
    return () => {
      receivers.delete(receive);
      if (receivers.size === 0 && this.#receivers.get(channel) === receivers)
        this.#receivers.delete(channel);
      this.#subscriber.off(broadcastChannel(channel), receiveFromRedis);
    };
  }

  /** Resolves once broadcasts on the channels subscribed to so far can no longer be missed. */
  confirmed(): Promise<void> {
    return this.#subscriber.confirmed();
  }

  /**
   * Calls `listener` when broadcasts may have been missed (Redis was unreachable): invalidate
   * broadcast-driven caches here.
   */
  onGap(listener: () => void): () => void {
    return this.#subscriber.onGap(listener);
  }
}
