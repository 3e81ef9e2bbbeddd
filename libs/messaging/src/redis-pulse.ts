import type { Redis } from "ioredis";

/**
 * A random value that lives as long as Redis's data; if it changed or is missing, queues, requests
 * and events were lost.
 */
const epochKey = "carrel:epoch";

/** Returns the current value; if Redis is new or was flushed, the first caller sets it. */
export async function readEpoch(redis: Redis): Promise<string | null> {
  const present = await redis.get(epochKey);
  if (present !== null) return present;
  await redis.set(epochKey, crypto.randomUUID(), "NX");
  return redis.get(epochKey);
}

/** A consumer group whose entries another replica may have left behind. */
interface WatchedGroup {
  stream: string;
  group: string;
  /** An entry not renewed for this long counts as left behind. */
  silentMs: number;
  /** Called while there are such entries, or when the group is missing. */
  onSilent(): void;
}

/** State of a group's pending entries. */
const state = { none: 0, held: 1, silentOrMissing: 2 } as const;

interface PulseCommands {
  /** Returns the epoch, then the state of each group. */
  carrelPulse(
    keys: number,
    ...keysThenValues: (string | number)[]
  ): Promise<[epoch: string, ...states: number[]]>;
}

const pulse = `local answer = { redis.call('GET', KEYS[1]) }
if not answer[1] then
  redis.call('SET', KEYS[1], ARGV[1])
  answer[1] = ARGV[1]
end
for index = 2, #KEYS do
  local group = ARGV[index * 2 - 2]
  local pending = redis.pcall('XPENDING', KEYS[index], group)
  if pending.err then answer[index] = ${state.silentOrMissing}
  elseif pending[1] == 0 then answer[index] = ${state.none}
  elseif redis.call('XPENDING', KEYS[index], group, 'IDLE', ARGV[index * 2 - 1], '-', '+', 1)[1] then answer[index] = ${state.silentOrMissing}
  else answer[index] = ${state.held} end
end
return answer`;

interface Watch {
  everyMs: number;
  /** When to check again (performance.now()). */
  lookAt: number;
}

/**
 * Asks Redis regularly, in one command for the whole process, whether it has lost its data and
 * whether other replicas have left entries behind.
 */
export class RedisPulse {
  private readonly redis: Redis & PulseCommands;
  private readonly groups = new Map<WatchedGroup, Watch>();
  private readonly epochListeners = new Map<(epoch: string) => void, number>();
  private timer: NodeJS.Timeout | undefined;
  private everyMs = 0;
  private epoch: string | undefined;
  private isAsking = false;

  constructor(redis: Redis) {
    if (!("carrelPulse" in redis)) redis.defineCommand("carrelPulse", { lua: pulse });
    this.redis = redis as Redis & PulseCommands;
  }

  /** Returns a function that stops watching. */
  watchGroup(group: WatchedGroup, everyMs: number): () => void {
    return this.add(this.groups, group, { everyMs, lookAt: 0 });
  }

  /** Calls the listener with the current epoch on every pulse. Returns the unsubscribe function. */
  onEpoch(listener: (epoch: string) => void, everyMs: number): () => void {
    return this.add(this.epochListeners, listener, everyMs);
  }

  private add<K, V>(to: Map<K, V>, key: K, value: V): () => void {
    to.set(key, value);
    this.schedule();
    return () => {
      to.delete(key);
      this.schedule();
    };
  }

  private schedule(): void {
    clearInterval(this.timer);
    const intervals = [
      ...[...this.groups.values()].map(({ everyMs }) => everyMs),
      ...this.epochListeners.values(),
    ];
    if (intervals.length === 0) return;
    this.everyMs = Math.min(...intervals);
    this.timer = setInterval(() => void this.ask(), this.everyMs);
  }

  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      // Rounded to the nearest pulse, so up to half an interval early.
      const until = performance.now() + this.everyMs / 2;
      const groups = [...this.groups].filter(([, { lookAt }]) => lookAt <= until);
      const [epoch, ...states] = await this.redis.carrelPulse(
        groups.length + 1,
        epochKey,
        ...groups.map(([{ stream }]) => stream),
        crypto.randomUUID(),
        ...groups.flatMap(([{ group, silentMs }]) => [group, silentMs]),
      );
      for (const [index, [group, watch]] of groups.entries()) {
        const { everyMs } = watch;
        // Without pending entries, none can become silent before a whole silent period has passed.
        const waitMs =
          states[index] === state.none ? Math.max(everyMs, group.silentMs - everyMs) : everyMs;
        watch.lookAt = performance.now() + waitMs;
        if (states[index] === state.silentOrMissing && this.groups.has(group)) group.onSilent();
      }
      if (epoch !== this.epoch) {
        // The groups are lost too.
        for (const watch of this.groups.values()) watch.lookAt = 0;
        setImmediate(() => void this.ask());
      }
      this.epoch = epoch;
      for (const listener of [...this.epochListeners.keys()]) listener(epoch);
    } catch {
      // The connection reports its own errors; the next pulse asks again.
    } finally {
      this.isAsking = false;
    }
  }
}
