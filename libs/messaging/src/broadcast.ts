import { Injectable } from "@nestjs/common";
import type { z } from "zod";
import type { DomainEvent } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import type { RedisConnections } from "./redis-connections.ts";
import type { Subscriber } from "./subscriber.ts";

export const broadcastChannel = (channel: string): string => `broadcast:${channel}`;

/**
 * Tells all processes at once, at most once: for dropping caches and for cancelling, never for what
 * must not be lost.
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
   * Says a domain event right after its commit, before the answer goes out, so that whoever reads
   * the answer meets no
   * cache from before; the outbox says it again, for certain.
   */
  async publishEvent<P extends z.ZodType>(
    event: DomainEvent<P>,
    payload: z.input<P>,
  ): Promise<void> {
    await this.publish(`event:${event.name}`, payload).catch((error: unknown) =>
      this.#logger.warn(
        { err: error, event: event.name },
        "an event could not be broadcast at once",
      ),
    );
  }

  /** Every domain event comes on `event:<name>` too. The returned function ends listening. */
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
   * Called when broadcasts may have been missed (Redis was away): caches kept by broadcasts are
   * dropped here.
   */
  onGap(listener: () => void): () => void {
    return this.#subscriber.onGap(listener);
  }
}
