import type { Redis } from "ioredis";
import { epochKey } from "./redis-epoch.ts";

/** A consumer group whose entries another replica may have left behind. */
interface WatchedGroup {
  stream: string;
  group: string;
  /** An entry not renewed for this long is left behind. */
  silentMs: number;
  /** Called while there are such entries, or when the group is missing. */
  onSilent(): void;
}

interface PulseCommands {
  /** Returns the epoch, then the positions of the groups to look at. */
  carrelPulse(
    keys: number,
    ...keysThenValues: (string | number)[]
  ): Promise<[epoch: string, ...groups: number[]]>;
}

const pulse = `local answer = { redis.call('GET', KEYS[1]) }
if not answer[1] then
  redis.call('SET', KEYS[1], ARGV[1])
  answer[1] = ARGV[1]
end
for index = 2, #KEYS do
  local pending = redis.pcall('XPENDING', KEYS[index], ARGV[index * 2 - 2], 'IDLE', ARGV[index * 2 - 1], '-', '+', 1)
  if pending.err or pending[1] then answer[#answer + 1] = index - 2 end
end
return answer`;

/**
 * Asks Redis regularly, in one command for the whole process, whether it has lost its data and
 * whether other replicas have left entries behind.
 */
export class RedisPulse {
  readonly #redis: Redis & PulseCommands;
  readonly #groups = new Map<WatchedGroup, number>();
  readonly #epochListeners = new Map<(epoch: string) => void, number>();
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;

  constructor(redis: Redis) {
    if (!("carrelPulse" in redis)) redis.defineCommand("carrelPulse", { lua: pulse });
    this.#redis = redis as Redis & PulseCommands;
  }

  /** Returns the function that ends this. */
  watchGroup(group: WatchedGroup, everyMs: number): () => void {
    return this.#add(this.#groups, group, everyMs);
  }

  /** Calls the listener with the current epoch, each time. Returns the function that ends this. */
  onEpoch(listener: (epoch: string) => void, everyMs: number): () => void {
    return this.#add(this.#epochListeners, listener, everyMs);
  }

  #add<T>(to: Map<T, number>, watched: T, everyMs: number): () => void {
    to.set(watched, everyMs);
    this.#schedule();
    return () => {
      to.delete(watched);
      this.#schedule();
    };
  }

  #schedule(): void {
    clearInterval(this.#timer);
    const intervals = [...this.#groups.values(), ...this.#epochListeners.values()];
    if (intervals.length > 0)
      this.#timer = setInterval(() => void this.#ask(), Math.min(...intervals));
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const groups = [...this.#groups.keys()];
      const [epoch, ...positions] = await this.#redis.carrelPulse(
        groups.length + 1,
        epochKey,
        ...groups.map(({ stream }) => stream),
        crypto.randomUUID(),
        ...groups.flatMap(({ group, silentMs }) => [group, silentMs]),
      );
      for (const position of positions) {
        const group = groups[position]!;
        if (this.#groups.has(group)) group.onSilent();
      }
      for (const listener of [...this.#epochListeners.keys()]) listener(epoch);
    } catch {
      // The connection reports its own errors; the next pulse asks again.
    } finally {
      this.#isAsking = false;
    }
  }
}
