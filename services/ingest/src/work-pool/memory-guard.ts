import type { Piscina } from "piscina";

/**
 * Short enough that a thread allocating as fast as V8 can doesn't exceed the headroom between two
 * checks.
 */
const everyMs = 100;
const megabyte = 1024 * 1024;
/**
 * Headroom above a thread's limit, counted twice: once until the guard ends the thread, once until
 * V8 does. V8 alone isn't enough, because it aborts the whole process when a single allocation
 * crosses its limit. V8 lets the heap grow at most halfway to its limit before collecting, so a
 * thread is never ended because of garbage.
 */
const headroomMb = 256;

/** The V8 heap limit for threads that may hold `allowedMb`. */
export const heapLimitMb = (allowedMb: number): number => allowedMb + 2 * headroomMb;

/**
 * Stops threads that use too much memory: on the JavaScript heap, before they reach V8's own limit,
 * and outside it, which V8's limits don't cover (a 3 MB PDF can unpack to gigabytes).
 */
export class MemoryGuard {
  private timer: NodeJS.Timeout | null = null;
  private readonly asked = new WeakSet<object>();
  /** Bytes that each thread held when it last answered. */
  private readonly held = new WeakMap<object, number>();
  private ended = 0;

  constructor(
    private readonly allowedMb: number,
    /** Bytes a thread may currently hold outside the heap. */
    private readonly maxExternalBytes: () => number,
    /** What all threads may hold together, and what is done if they hold more. */
    private readonly together: { allowedMb: number; relieve: () => void },
  ) {}

  watch(pool: Piscina): void {
    this.timer ??= setInterval(() => this.check(pool), everyMs).unref();
  }

  rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.ended = 0;
  }

  /** Whether a task failed because this guard ended its thread. */
  claims(failure: unknown): boolean {
    if (
      this.ended === 0 ||
      !(failure instanceof Error) ||
      !failure.message.startsWith("worker exited")
    )
      return false;
    this.ended--;
    return true;
  }

  private check(pool: Piscina): void {
    const sum = pool.threads.reduce((sum, thread) => sum + (this.held.get(thread) ?? 0), 0);
    if (sum > this.together.allowedMb * megabyte) this.together.relieve();
    for (const thread of pool.threads) {
      if (this.asked.has(thread)) continue;
      this.asked.add(thread);
      // A thread that is starting or ending doesn't answer; the next check retries.
      void thread
        .getHeapStatistics()
        .then(({ used_heap_size: heap, external_memory: external }) => {
          this.held.set(thread, heap + external);
          const isTooMuch =
            heap > (this.allowedMb + headroomMb) * megabyte || external > this.maxExternalBytes();
          if (!isTooMuch || this.timer === null) return;
          this.ended++;
          return thread.terminate();
        })
        .catch(() => undefined)
        .finally(() => this.asked.delete(thread));
    }
  }
}
