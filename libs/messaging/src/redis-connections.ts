import { CarrelError } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { Redis, type Command, type RedisOptions } from "ioredis";

/**
 * Ends when told to, even between two attempts to reconnect, when ioredis only cancels the next
 * attempt: the connection never ends, waiting commands never settle, and a BullMQ worker, whose
 * blocking connection is a duplicate, never closes.
 */
class EndingRedis extends Redis {
  override disconnect(reconnect = false): void {
    if (this.status === "end") return; // ioredis would wait two seconds for the old socket
    if (this.status === "reconnecting" && !reconnect) {
      // Once it has a socket, an attempt can be ended.
      this.connect().catch(() => undefined);
      process.nextTick(() => super.disconnect());
    } else super.disconnect(reconnect);
  }

  override duplicate(options?: Partial<RedisOptions>): EndingRedis {
    return new EndingRedis({ ...this.options, ...options });
  }
}

/**
 * Sends the commands of one event loop tick in one packet. ioredis' automatic pipelining does the
 * same, but its pipelines hang forever when the connection breaks between two of their replies
 * (redis/ioredis issue 800), and then block every later command. For the same reason this codebase
 * uses scripts instead of explicit pipelines.
 */
class BatchingRedis extends EndingRedis {
  private corked = false;
  override sendCommand(...[command, stream]: Parameters<Redis["sendCommand"]>): unknown {
    const socket = this.stream;
    if (socket && !this.corked) {
      this.corked = true;
      socket.cork();
      setImmediate(() => {
        this.corked = false;
        socket.uncork();
      });
    }
    return super.sendCommand(command, stream);
  }
}

/**
 * Fails the commands in flight when the connection breaks. With `autoResendUnfulfilledCommands`
 * disabled, ioredis drops them, and their callers would wait forever.
 */
class FailingRedis extends BatchingRedis {
  private readonly inFlight = new Set<Command>();

  constructor(...options: ConstructorParameters<typeof BatchingRedis>) {
    super(...options);
    this.on("close", () => {
      const lost = [...this.inFlight];
      this.inFlight.clear();
      const cause = new Error("The connection to Redis broke");
      for (const command of lost)
        command.reject(new CarrelError("request.unavailable", {}, { cause }));
    });
  }

  override sendCommand(...[command, stream]: Parameters<Redis["sendCommand"]>): unknown {
    // Otherwise it waits for a connection, and then comes through here again.
    if (this.status === "ready") {
      this.inFlight.add(command);
      const settle = (): void => void this.inFlight.delete(command);
      command.promise.then(settle, settle);
    }
    return super.sendCommand(command, stream);
  }
}

/** Name of a process's connection for commands, followed by the secrets that it accepts. */
const commandsName = "carrel-commands";

/** All Redis connections of a process; services in one process share one instance. */
export class RedisConnections {
  /**
   * For commands that are safe to repeat (acknowledge, publish, read): those in flight when the
   * connection breaks are sent again.
   */
  readonly commands: Redis;
  /** For commands that must not be sent twice: those in flight fail, and the caller decides. */
  readonly once: Redis;
  /** For BullMQ, which defines its scripts on this connection. */
  readonly jobs: Redis;
  private readonly blocking = new Set<Redis>();
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
    accepts: readonly string[] = [],
  ) {
    this.commands = this.connect("commands", {
      connectionName: [commandsName, ...accepts].join(":"),
    });
    this.once = this.connect("once", { autoResendUnfulfilledCommands: false }, FailingRedis);
    this.jobs = this.connect("jobs", {});
  }

  /** Opens a separate connection for blocking reads or subscriptions; closed with the others. */
  open(purpose: string, options: RedisOptions = {}): Redis {
    const redis = this.connect(purpose, options);
    this.blocking.add(redis);
    return redis;
  }

  release(redis: Redis): void {
    this.blocking.delete(redis);
    redis.disconnect();
  }

  async ping(): Promise<void> {
    await this.commands.ping();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    for (const redis of this.blocking) redis.disconnect();
    await Promise.all(
      [this.commands, this.once, this.jobs].map(async (redis) => {
        // QUIT waits for commands in flight; without a connection it would wait forever.
        if (redis.status === "ready") await redis.quit().catch(() => redis.disconnect());
        else redis.disconnect();
      }),
    );
  }

  private connect(purpose: string, options: RedisOptions, Client = BatchingRedis): Redis {
    const common: RedisOptions = {
      connectionName: `carrel-${purpose}`,
      maxRetriesPerRequest: null,
      connectTimeout: 5_000,
      keepAlive: 10_000,
      retryStrategy: (times) => Math.min(50 * times, 1_000),
      ...options,
    };
    const url = new URL(this.url);
    const redis =
      url.protocol === "unix:"
        ? new Client({
            ...common,
            path: decodeURIComponent(url.pathname),
            ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
            ...(url.searchParams.get("db") ? { db: Number(url.searchParams.get("db")) } : {}),
          })
        : new Client(this.url, common);
    let isReported = false;
    redis.on("error", (error: Error) => {
      if (!isReported && !this.closed)
        this.logger.warn({ purpose, error: error.message }, "Redis is unreachable, will retry");
      isReported = true;
    });
    redis.on("ready", () => {
      if (isReported) this.logger.info({ purpose }, "Redis is reachable again");
      isReported = false;
    });
    return redis;
  }
}

/**
 * The fingerprint of the instance secret, for the gateway, which doesn't use PostgreSQL. Services
 * write it once PostgreSQL has confirmed it.
 */
const secretNoteKey = "carrel:secret";
/** How long a starting process waits for Redis. */
const waitMs = 5_000;

export async function noteSecret(
  { commands }: RedisConnections,
  fingerprint: string,
): Promise<void> {
  await commands.set(secretNoteKey, fingerprint);
}

/** Null if there is no note, or if Redis can't be reached now. */
export async function readSecretNote({ commands }: RedisConnections): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), waitMs);
  });
  return Promise.race([commands.get(secretNoteKey), late]).finally(() => clearTimeout(timer));
}

/** Prefixes of our keys: queues and the epoch, requests, events, streams, pipes and counters. */
const own = /^(?:carrel:|rpc:|events(?::dead)?$|stream:|pipe:|throttle:)/;

/** Runs the work with a connection that fails at once if no server responds. */
async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, lazyConnect: true });
  redis.on("error", () => undefined); // the command reports it
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

async function* pages(redis: Redis): AsyncGenerator<string[]> {
  for (let cursor = "0"; ;) {
    const [next, keys] = await redis.scan(cursor, "COUNT", 1_000);
    yield keys;
    if (next === "0") return;
    cursor = next;
  }
}

/** A key in the Redis database that isn't ours; null if all are. */
export const findForeignKey = (url: string): Promise<string | null> =>
  withRedis(url, async (redis) => {
    for await (const keys of pages(redis)) {
      const foreign = keys.find((key) => !own.test(key));
      if (foreign !== undefined) return foreign;
    }
    return null;
  });

/** What each process that is connected to this Redis gave as `accepts`. */
export const listAccepted = (url: string): Promise<string[][]> =>
  withRedis(url, async (redis) =>
    String(await redis.client("LIST"))
      .split("\n")
      .flatMap((line) => / name=(\S+)/.exec(line)?.[1] ?? [])
      .map((name) => name.split(":"))
      .flatMap(([name, ...accepts]) => (name === commandsName ? [accepts] : [])),
  );

/** Writes the note, for a command that has moved the database to another secret. */
export const replaceSecretNote = (url: string, fingerprint: string): Promise<void> =>
  withRedis(url, async (redis) => void (await redis.set(secretNoteKey, fingerprint)));

/** For a process that starts with another secret; the gateway compares its own with the note. */
export const forgetSecretNote = (url: string): Promise<void> =>
  withRedis(url, async (redis) => void (await redis.del(secretNoteKey)));

/**
 * Deletes our keys: requests, jobs, streams, events and counters, all of which Carrel recreates
 * from PostgreSQL. For a restore, because they don't belong to the restored database.
 */
export const clearRedis = (url: string): Promise<void> =>
  withRedis(url, async (redis) => {
    for await (const keys of pages(redis)) {
      const ours = keys.filter((key) => own.test(key));
      if (ours.length > 0) await redis.unlink(ours);
    }
  });
