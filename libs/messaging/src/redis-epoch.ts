import type { Redis } from "ioredis";

/**
 * A random value that lives as long as Redis's data; if it changed or is missing, queues, requests
 * and events were lost.
 */
export const epochKey = "carrel:epoch";

/** Returns the current value; if Redis is new or was flushed, the first caller sets it. */
export async function readEpoch(redis: Redis): Promise<string | null> {
  const present = await redis.get(epochKey);
  if (present !== null) return present;
  await redis.set(epochKey, crypto.randomUUID(), "NX");
  return redis.get(epochKey);
}
