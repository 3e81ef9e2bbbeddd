import { Redis, type RedisOptions } from "ioredis";
import type { Logger } from "@carrel/observability";

/**
 * Sends the commands of one turn of the event loop in one packet. ioredis' own automatic pipelining
 * does the same, but
 * its pipelines hang for ever when the connection breaks between two of their replies
 * (redis/ioredis issue 800), and
 * then every later command waits behind them. For the same reason no explicit pipeline is used
 * here: scripts are.
 */
class BatchingRedis extends Redis {
  #corked = false;
  override sendCommand(...[command, stream]: Parameters<Redis["sendCommand"]>): unknown {
    const socket = this.stream;
    if (socket && !this.#corked) {
      this.#corked = true;
      socket.cork();
      setImmediate(() => {
        this.#corked = false;
        socket.uncork();
      });
    }
    return super.sendCommand(command, stream);
  }
}

/** All connections of a process to Redis; several services in one process share one object. */
export class RedisConnections {
  /**
   * For commands that may be sent twice (acknowledge, publish, read): what was under way when the
   * connection broke is sent again.
   */
  readonly commands: Redis;
  /** For commands that must not be sent twice: what was under way fails, and the sender decides. */
  readonly once: Redis;
  /** For BullMQ, which holds its scripts on it. */
  readonly jobs: Redis;
  readonly #url: string;
  readonly #logger: Logger;
  readonly #blocking = new Set<Redis>();
  #closed = false;

  constructor(url: string, logger: Logger) {
    this.#url = url;
    this.#logger = logger;
    this.commands = this.#open("commands", {});
    this.once = this.#open("once", { autoResendUnfulfilledCommands: false });
    this.jobs = this.#open("jobs", {});
  }

  /** A connection of its own, for blocking reads or subscriptions; closed with the others. */
  open(purpose: string, options: RedisOptions = {}): Redis {
    const redis = this.#open(purpose, options);
    this.#blocking.add(redis);
    return redis;
  }

  release(redis: Redis): void {
    this.#blocking.delete(redis);
    redis.disconnect();
  }

  async ping(): Promise<void> {
    await this.commands.ping();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const redis of this.#blocking) redis.disconnect();
    await Promise.all(
      [this.commands, this.once, this.jobs].map(async (redis) => {
        // QUIT waits for what is under way; with Redis gone nothing is, and it would wait for ever.
        if (redis.status === "ready") await redis.quit().catch(() => redis.disconnect());
        else redis.disconnect();
      }),
    );
  }

  #open(purpose: string, options: RedisOptions): Redis {
    const common: RedisOptions = {
      connectionName: `carrel-${purpose}`,
      maxRetriesPerRequest: null,
      connectTimeout: 5_000,
      keepAlive: 10_000,
      retryStrategy: (times) => Math.min(50 * times, 1_000),
      ...options,
    };
    const url = new URL(this.#url);
    const redis =
      url.protocol === "unix:"
        ? new BatchingRedis({
            ...common,
            path: decodeURIComponent(url.pathname),
            ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
            ...(url.searchParams.get("db") ? { db: Number(url.searchParams.get("db")) } : {}),
          })
        : new BatchingRedis(this.#url, common);
    let told = false;
    redis.on("error", (error: Error) => {
      if (!told && !this.#closed)
        this.#logger.warn({ purpose, error: error.message }, "Redis is out of reach, trying again");
      told = true;
    });
    redis.on("ready", () => {
      if (told) this.#logger.info({ purpose }, "Redis is back");
      told = false;
    });
    return redis;
  }
}
