import type { Redis } from "ioredis";

/**
 * A random value that lives as long as Redis's data; another value or none means that queues,
 * requests and events were lost.
 */
const epochKey = "carrel:epoch";

/** The present value; where there is none (new or flushed), the first who asks sets it. */
export async function readEpoch(redis: Redis): Promise<string | null> {
  const present = await redis.get(epochKey);
  if (present !== null) return present;
  await redis.set(epochKey, crypto.randomUUID(), "NX");
  return redis.get(epochKey);
}
