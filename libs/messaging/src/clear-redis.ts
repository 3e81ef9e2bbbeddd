import { Redis } from "ioredis";

/**
 * Empties the Redis database: requests, jobs, streams, events and counters, all of which Carrel
 * makes again from PostgreSQL. For a restore, whose database they don't belong to.
 */
export async function clearRedis(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, lazyConnect: true });
  redis.on("error", () => undefined); // the command reports it
  try {
    await redis.connect();
    await redis.flushdb();
  } finally {
    redis.disconnect();
  }
}
