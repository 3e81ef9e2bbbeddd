import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import { group } from "./request-reader.ts";

/**
 * The name includes the format of its entries, so that replicas of a version with another format
 * leave them alone (docs/decisions/messaging.md).
 */
export const requestStream = (service: string): string => `rpc:sealed:${service}`;

/** The commands these scripts add to a connection. */
export interface RequestCommands {
  /** Adds a request; returns null if `limit` requests are already waiting. */
  carrelSend(stream: string, limit: number, head: string, sealed: string): Promise<string | null>;
  /** Deletes a request that no replica has taken; returns 1 if it did so. */
  carrelWithdraw(stream: string, group: string, id: string): Promise<number>;
  /** Renews the entries still owned by `consumer` and returns their IDs. */
  carrelRenew(stream: string, group: string, consumer: string, ...ids: string[]): Promise<string[]>;
  /**
   * Acknowledges and deletes in one step: a crash between the two would leave an entry without an
   * owner.
   */
  carrelDone(stream: string, group: string, ...ids: string[]): Promise<number>;
}

const scripts = {
  carrelSend: `if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then return false end
return redis.call('XADD', KEYS[1], '*', 'h', ARGV[2], 'b', ARGV[3])`,
  carrelWithdraw: `local pending = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
if not pending['err'] and pending[1] then return 0 end
return redis.call('XDEL', KEYS[1], ARGV[2])`,
  carrelRenew: `local owned = {}
for index = 3, #ARGV do
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[index], ARGV[index], 1)
  if pending[1] and pending[1][2] == ARGV[2] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[index], 'JUSTID')
    owned[#owned + 1] = ARGV[index]
  end
end
return owned`,
  carrelDone: `for index = 2, #ARGV do
  pcall(redis.call, 'XACK', KEYS[1], ARGV[1], ARGV[index])
  redis.call('XDEL', KEYS[1], ARGV[index])
end
return 1`,
};

/** How long to wait for Redis, given that the caller's deadline has passed. */
const withdrawMs = 250;

/**
 * Deletes a request that no replica has taken, so that requests to a service that is down don't
 * pile up. Resolves to false if it may have been taken.
 */
export async function withdraw(
  redis: RequestCommands,
  stream: string,
  entry: string,
): Promise<boolean> {
  const deleted = redis.carrelWithdraw(stream, group, entry).catch(() => 0);
  return (await Promise.race([deleted, pause(withdrawMs, 0, { ref: false })])) === 1;
}

/** Defines the scripts on a connection; safe to call twice. */
export function withRequestScripts(redis: Redis): Redis & RequestCommands {
  for (const [name, lua] of Object.entries(scripts))
    if (!(name in redis)) redis.defineCommand(name, { numberOfKeys: 1, lua });
  return redis as Redis & RequestCommands;
}
