import { CarrelError } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { Redis } from "ioredis";
import ipaddr from "ipaddr.js";
import type { RedisConnections } from "./redis-connections.ts";

/**
 * A token bucket shared by all replicas: up to `capacity` tokens at once, plus one every
 * `refillMs`.
 */
export interface Bucket {
  key: string;
  capacity: number;
  refillMs: number;
}

interface ThrottleCommands {
  carrelTake(keys: number, ...keysThenNumbers: (string | number)[]): Promise<number>;
  carrelGiveBack(keys: number, ...keysThenNumbers: (string | number)[]): Promise<number>;
}

/** Uses Redis's clock, because the replicas' clocks may differ. A full bucket has no key. */
const level = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function read(index)
  local capacity, refill = tonumber(ARGV[index * 2 - 1]), tonumber(ARGV[index * 2])
  local state = redis.call('HMGET', KEYS[index], 'tokens', 'at')
  if not state[1] then return capacity, capacity, refill end
  return math.min(capacity, tonumber(state[1]) + math.max(0, now - tonumber(state[2])) / refill), capacity, refill
end
local function write(index, tokens, capacity, refill)
  if tokens >= capacity then redis.call('DEL', KEYS[index]) return end
  redis.call('HSET', KEYS[index], 'tokens', tokens, 'at', now)
  redis.call('PEXPIRE', KEYS[index], math.ceil((capacity - tokens) * refill) + 1)
end
`;
const scripts = {
  carrelTake: `${level}local wait = 0
for index = 1, #KEYS do
  local tokens, _, refill = read(index)
  if tokens < 1 then wait = math.max(wait, math.ceil((1 - tokens) * refill)) end
end
if wait > 0 then return wait end
for index = 1, #KEYS do
  local tokens, capacity, refill = read(index)
  write(index, tokens - 1, capacity, refill)
end
return 0`,
  carrelGiveBack: `${level}for index = 1, #KEYS do
  local tokens, capacity, refill = read(index)
  write(index, math.min(capacity, tokens + 1), capacity, refill)
end
return 1`,
};

/**
 * Rate limits that hold across replicas, because Redis stores them. Throws UNAVAILABLE while Redis
 * is unreachable.
 */
@Injectable()
export class Throttle {
  private readonly redis: Redis & ThrottleCommands;

  constructor(connections: RedisConnections) {
    const redis = connections.once;
    for (const [name, lua] of Object.entries(scripts))
      if (!(name in redis)) redis.defineCommand(name, { lua });
    this.redis = redis as Redis & ThrottleCommands;
  }

  /**
   * Takes one token from every bucket, or none if any is empty. Resolves to 0 on success, otherwise
   * to the ms to wait. One round trip.
   */
  take(buckets: readonly Bucket[]): Promise<number> {
    return buckets.length === 0
      ? Promise.resolve(0)
      : this.answer(this.redis.carrelTake(buckets.length, ...keysThenNumbers(buckets)));
  }

  /** Returns one token to every bucket. */
  async refund(buckets: readonly Bucket[]): Promise<void> {
    if (buckets.length > 0)
      await this.answer(this.redis.carrelGiveBack(buckets.length, ...keysThenNumbers(buckets)));
  }

  private answer(reply: Promise<number>): Promise<number> {
    return reply.catch((cause: unknown) => {
      throw new CarrelError("access.attempts-uncountable", {}, { cause });
    });
  }
}

const keysThenNumbers = (buckets: readonly Bucket[]): (string | number)[] => [
  ...buckets.map(({ key }) => `throttle:${key}`),
  ...buckets.flatMap(({ capacity, refillMs }) => [capacity, refillMs]),
];

/**
 * Attempts are counted per IPv4 address (including IPv4-mapped IPv6) or per /64 of an IPv6 address,
 * because one customer has at least that many. Everything that is not an address counts together as
 * `unknown`.
 */
export function addressGroup(address: string | null | undefined): string {
  const plain = address?.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(plain)) return "unknown";
  const parsed = ipaddr.process(plain);
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
