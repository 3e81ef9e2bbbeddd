import type { Job } from "@carrel/contracts";
import type { Redis } from "ioredis";

/** BullMQ's maximum priority. */
const latestTurn = 2_000_000;
const fairKey = (queue: string): string => `carrel:${queue}:fair`;

/*
 * Turns implement start-time fair queueing in a small hash: `clock` is the highest turn of any job
 * started, and each value of the fair field maps to the last turn it was given. A new job gets the
 * turn after the later of the two as its BullMQ priority, so a large backlog only delays itself. If
 * the hash is lost, turns merely restart.
 */
const give = `
if redis.call('EXISTS', KEYS[4]) == 1 then return 0 end
if redis.call('ZCARD', KEYS[2]) == 0 and redis.call('LLEN', KEYS[3]) == 0 then redis.call('DEL', KEYS[1]) end
local clock = tonumber(redis.call('HGET', KEYS[1], 'clock') or '0')
local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(math.max(clock, last) + 1, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], ARGV[1], turn)
redis.call('EXPIRE', KEYS[1], 86400)
return turn`;
const pass = `
if tonumber(ARGV[1]) > tonumber(redis.call('HGET', KEYS[1], 'clock') or '0') then redis.call('HSET', KEYS[1], 'clock', ARGV[1]) end`;

/**
 * Returns the new job's turn, or null if the job already exists or its queue is first come, first
 * served.
 */
export async function takeTurn(
  redis: Redis,
  { job, queue, jobId, payload }: { job: Job; queue: string; jobId: string; payload: unknown },
): Promise<number | null> {
  if (job.fairBy === undefined) return null;
  const whose = (payload as Record<string, unknown> | null)?.[job.fairBy];
  const base = `carrel:${queue}`;
  const turn = Number(
    await redis.eval(
      give,
      4,
      fairKey(queue),
      `${base}:prioritized`,
      `${base}:wait`,
      `${base}:${jobId}`,
      `of ${String(whose ?? "")}`,
      latestTurn,
    ),
  );
  return turn === 0 ? null : turn;
}

/** Advances the clock when a job with this turn starts. */
export async function noteTurn(redis: Redis, queue: string, turn: number): Promise<void> {
  await redis.eval(pass, 1, fairKey(queue), turn);
}
