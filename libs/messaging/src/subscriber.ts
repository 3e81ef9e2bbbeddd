import type { Redis } from "ioredis";
import type { RedisConnections } from "./redis-connections.ts";

type Listener = (message: string) => void;

/**
 * One subscribing connection for the process, channels counted by their listeners: a thousand
 * readers need no
 * connection each. ioredis subscribes again by itself after a lost connection; what was published
 * meanwhile is gone,
 * which `onGap` tells.
 */
export class Subscriber {
  readonly #redis: Redis;
  readonly #channels = new Map<string, { listeners: Set<Listener>; ready: Promise<unknown> }>();
  readonly #gapListeners = new Set<() => void>();
  #connectedBefore = false;

  constructor(connections: RedisConnections) {
    this.#redis = connections.open("subscriber");
    this.#redis.on("message", (channel: string, message: string) => {
      for (const listener of this.#channels.get(channel)?.listeners ?? []) listener(message);
    });
    this.#redis.on("ready", () => {
      if (this.#connectedBefore) for (const listener of this.#gapListeners) listener();
      this.#connectedBefore = true;
    });
  }

  /** Resolves once the server knows the subscription. The returned function ends it. */
  async on(channel: string, listener: Listener): Promise<() => void> {
    const { ready } = this.listen(channel, listener);
    await ready;
    return () => this.off(channel, listener);
  }

  /** As `on`, without waiting. */
  listen(channel: string, listener: Listener): { ready: Promise<unknown> } {
    let entry = this.#channels.get(channel);
    if (!entry) {
      const ready = this.#redis.subscribe(channel);
      // Awaited by whoever needs it; a closed connection must not surface as unhandled.
      ready.catch(() => undefined);
      entry = { listeners: new Set(), ready };
      this.#channels.set(channel, entry);
    }
    entry.listeners.add(listener);
    return { ready: entry.ready };
  }

  off(channel: string, listener: Listener): void {
    const entry = this.#channels.get(channel);
    if (!entry?.listeners.delete(listener) || entry.listeners.size > 0) return;
    this.#channels.delete(channel);
    this.#redis.unsubscribe(channel).catch(() => undefined);
  }

  /** Called after a lost connection is back: messages may have been missed. */
  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => {
      this.#gapListeners.delete(listener);
    };
  }
}
