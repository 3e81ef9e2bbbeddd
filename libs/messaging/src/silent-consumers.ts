import type { Redis } from "ioredis";

/** A live consumer reads at least every minute; one that has been silent for this long is gone. */
const silentMs = 10 * 60_000;

/** The consumers of a group, keyed by name. */
async function consumersOf(
  redis: Redis,
  stream: string,
  group: string,
): Promise<{ name: string; pending: number; idle: number }[]> {
  const rows = (await redis.xinfo("CONSUMERS", stream, group)) as (string | number)[][];
  return rows.map((row) => {
    const facts = new Map<string, string | number>();
    for (let index = 0; index + 1 < row.length; index += 2)
      facts.set(String(row[index]), row[index + 1]!);
    return {
      name: String(facts.get("name")),
      pending: Number(facts.get("pending")),
      idle: Number(facts.get("idle")),
    };
  });
}

/**
 * Removes consumers whose process is gone and which hold no entries; otherwise killed replicas
 * would accumulate forever.
 */
export async function removeSilentConsumers(
  redis: Redis,
  stream: string,
  group: string,
  olderThanMs = silentMs,
): Promise<void> {
  for (const consumer of await consumersOf(redis, stream, group)) {
    if (consumer.pending === 0 && consumer.idle > olderThanMs)
      await redis.xgroup("DELCONSUMER", stream, group, consumer.name);
  }
}

/**
 * Removes this consumer from the group unless it still holds entries, which another replica then
 * takes over.
 */
export async function leaveGroup(
  redis: Redis,
  stream: string,
  group: string,
  consumer: string,
): Promise<void> {
  const pending = await redis.xpending(stream, group, "-", "+", 1, consumer);
  if (pending.length === 0) await redis.xgroup("DELCONSUMER", stream, group, consumer);
}

/** Assigns entries held by consumers silent for `silentMs` to `consumer` and returns them. */
export async function claimSilent(
  redis: Redis,
  stream: string,
  group: string,
  o: { consumer: string; silentMs: number; limit: number },
): Promise<[id: string, fields: string[] | null][]> {
  const limit = Math.min(o.limit, 16);
  const reply = await redis.xautoclaim(
    stream,
    group,
    o.consumer,
    o.silentMs,
    "0-0",
    "COUNT",
    limit,
  );
  return (reply as [string, [id: string, fields: string[] | null][]])[1];
}

/** Returns how often an entry has been delivered; 1 if it is no longer pending. */
export async function countDeliveries(
  redis: Redis,
  stream: string,
  group: string,
  id: string,
): Promise<number> {
  const pending = await redis.xpending(stream, group, id, id, 1);
  return (pending as [string, string, number, number][])[0]?.[3] ?? 1;
}
