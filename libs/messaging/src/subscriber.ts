import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { RedisConnections } from "./redis-connections.ts";

type Listener = (message: string) => void;

/** A channel without publishers. */
const orderChannel = "subscriptions-confirmed";
/** How long to wait before a failed subscription is tried again. */
const retryMs = 100;

/**
 * One subscriber connection per process with reference-counted channels, so that a thousand readers
 * don't need a connection each. ioredis resubscribes after a lost connection; messages published in
 * the meantime are lost, which `onGap` reports.
 */
export class Subscriber {
  private readonly redis: Redis;
  private readonly channels = new Map<
    string,
    { listeners: Set<Listener>; ready: Promise<unknown> }
  >();
  private readonly gapListeners = new Set<() => void>();
  private connectedBefore = false;

  constructor(connections: RedisConnections) {
    // The check that a connection is ready sends INFO, which Redis refuses after a first SUBSCRIBE;
    // ioredis would then fail all subscriptions that wait for the check. A server that is still
    // loading its data accepts subscriptions.
    this.redis = connections.open("subscriber", { enableReadyCheck: false });
    this.redis.on("message", (channel: string, message: string) => {
      for (const listener of this.channels.get(channel)?.listeners ?? []) listener(message);
    });
    this.redis.on("ready", () => {
      if (this.connectedBefore) for (const listener of this.gapListeners) listener();
      this.connectedBefore = true;
    });
  }

  get isConnected(): boolean {
    return this.redis.status === "ready";
  }

  /** Resolves once the server has confirmed the subscription. Returns the unsubscribe function. */
  async on(channel: string, listener: Listener): Promise<() => void> {
    const { ready } = this.listen(channel, listener);
    await ready;
    return () => this.off(channel, listener);
  }

  /** Like `on`, but doesn't wait for the confirmation. */
  listen(channel: string, listener: Listener): { ready: Promise<unknown> } {
    let entry = this.channels.get(channel);
    if (!entry) {
      const ready = this.subscribe(channel);
      // Callers that need the confirmation await it; for the others, a closed connection must not
      // become an unhandled rejection.
      ready.catch(() => undefined);
      entry = { listeners: new Set(), ready };
      this.channels.set(channel, entry);
    }
    entry.listeners.add(listener);
    return { ready: entry.ready };
  }

  /**
   * Resolves once the server has confirmed all subscriptions made so far, including those that
   * ioredis repeats on a new connection: it handles commands in order.
   */
  async confirmed(): Promise<void> {
    await this.redis.subscribe(orderChannel);
  }

  /** Rejects only once the connection is closed for good. */
  private async subscribe(channel: string): Promise<void> {
    for (;;) {
      try {
        await this.redis.subscribe(channel);
        return;
      } catch (error) {
        if (this.redis.status === "end" || !this.channels.has(channel)) throw error;
        await pause(retryMs, undefined, { ref: false });
      }
    }
  }

  off(channel: string, listener: Listener): void {
    const entry = this.channels.get(channel);
    if (!entry?.listeners.delete(listener) || entry.listeners.size > 0) return;
    this.channels.delete(channel);
    this.redis.unsubscribe(channel).catch(() => undefined);
  }

  /** Calls `listener` when a lost connection is restored: messages may have been missed. */
  onGap(listener: () => void): () => void {
    this.gapListeners.add(listener);
    return () => {
      this.gapListeners.delete(listener);
    };
  }
}
