import type { Redis } from "ioredis";
import type { Logger } from "@carrel/observability";

/** Where versions that didn't seal requests left them. */
const streamOf = (service: string): string => `rpc:${service}`;

/**
 * Removes the requests that earlier versions left in Redis in clear text, and has Redis rewrite its
 * append-only file, which still holds those of the past. A stream that a replica of such a version
 * still works on is left alone until the next start.
 */
export async function removeUnsealedRequests(
  redis: Redis,
  service: string,
  logger: Logger,
): Promise<void> {
  try {
    const stream = streamOf(service);
    let removed = await redis.unlink(`${stream}:dead`);
    if ((await redis.xlen(stream)) === 0) removed += await redis.unlink(stream);
    if (removed > 0) await redis.bgrewriteaof();
  } catch (error) {
    logger.warn({ err: error, service }, "couldn't remove requests of an earlier version");
  }
}
