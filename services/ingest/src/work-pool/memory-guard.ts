import type { Piscina } from "piscina";

/** A thread that allocates as fast as V8 can must not get past the headroom between two looks. */
const everyMs = 100;
const megabyte = 1024 * 1024;
/**
 * Above what a thread may hold, once until it is ended here and once more until V8 ends it. V8 alone
 * isn't enough: where one allocation crosses its limit, it aborts the whole process. V8 lets the heap
 * grow at most halfway to its limit before collecting, so a thread is never ended for garbage.
 */
const headroomMb = 256;

/** The limit that V8 gets for threads that may hold `allowedMb`. */
export const heapLimitMb = (allowedMb: number): number => allowedMb + 2 * headroomMb;

/**
 * Ends threads that hold too much memory: on JavaScript's heap, before V8's own limit is reached, and
 * outside of it, which V8's limits don't count (a PDF of 3 MB can unpack to gigabytes).
 */
export class MemoryGuard {
  private timer: NodeJS.Timeout | null = null;
  private readonly asked = new WeakSet<object>();
  private ended = 0;

  constructor(
    private readonly allowedMb: number,
    /** Bytes that a thread may hold outside of the heap now. */
    private readonly mostExternal: () => number,
  ) {}

  watch(pool: Piscina): void {
    this.timer ??= setInterval(() => this.look(pool), everyMs).unref();
  }

  rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.ended = 0;
  }

  /** Whether a task failed because its thread was ended here. */
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

  private look(pool: Piscina): void {
    for (const thread of pool.threads) {
      if (this.asked.has(thread)) continue;
      this.asked.add(thread);
      // A thread that is starting or ending doesn't answer; the next look will.
      void thread
        .getHeapStatistics()
        .then(({ used_heap_size: heap, external_memory: external }) => {
          const isTooMuch =
            heap > (this.allowedMb + headroomMb) * megabyte || external > this.mostExternal();
          if (!isTooMuch || this.timer === null) return;
          this.ended++;
          return thread.terminate();
        })
        .catch(() => undefined)
        .finally(() => this.asked.delete(thread));
    }
  }
}
