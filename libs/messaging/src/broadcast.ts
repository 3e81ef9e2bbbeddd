import { Injectable } from "@nestjs/common";
import type { z } from "zod";
import type { DomainEvent } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import type { RedisConnections } from "./redis-connections.ts";
import type { Subscriber } from "./subscriber.ts";

export const broadcastChannel = (channel: string): string => `broadcast:${channel}`;

/**
 * Notifies all processes, at most once. Use it to invalidate caches and to cancel work, never for
 * anything that must not be lost.
 */
@Injectable()
export class Broadcast {
  readonly #connections: RedisConnections;
  readonly #subscriber: Subscriber;
  readonly #logger: Logger;
  constructor(connections: RedisConnections, subscriber: Subscriber, logger: Logger) {
    this.#connections = connections;
    this.#subscriber = subscriber;
    this.#logger = logger;
  }

  async publish(channel: string, payload: unknown): Promise<void> {
    await this.#connections.commands.publish(
      broadcastChannel(channel),
      JSON.stringify(payload ?? null),
    );
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
    const receive = (message: string): void => {
      try {
        listener(JSON.parse(message));
      } catch (error) {
        this.#logger.error({ err: error, channel }, "a broadcast listener failed");
      }
    };
    this.#subscriber.listen(broadcastChannel(channel), receive);
    return () => this.#subscriber.off(broadcastChannel(channel), receive);
  }

  /**
   * Calls `listener` when broadcasts may have been missed (Redis was unreachable): invalidate
   * broadcast-driven caches here.
   */
  onGap(listener: () => void): () => void {
    return this.#subscriber.onGap(listener);
  }
}
