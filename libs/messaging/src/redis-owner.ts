import { Redis } from "ioredis";
import type { RedisConnections } from "./redis-connections.ts";

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
