import type { Piscina } from "piscina";

const everyMs = 250;

/**
 * Ends threads that hold too much memory outside of JavaScript's heap, which V8's own limits do not
 * count: a PDF of 3 MB
 * can unpack to gigabytes of bytes. `most` is asked at each look, in bytes.
 */
export class MemoryGuard {
  private timer: NodeJS.Timeout | null = null;
  private readonly asked = new WeakSet<object>();
  private ended = 0;

  constructor(private readonly most: () => number) {}

  watch(pool: Piscina): void {
    this.timer ??= setInterval(() => this.look(pool), everyMs).unref();
  }

  rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.ended = 0;
  }

  /** Whether this failure of a task is the end of a thread that was ended here. */
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
      // A thread that is starting or ending does not answer; the next look will.
      void thread
        .getHeapStatistics()
        .then((statistics) => {
          if (statistics.external_memory <= this.most() || this.timer === null) return;
          this.ended++;
          return thread.terminate();
        })
        .catch(() => undefined)
        .finally(() => this.asked.delete(thread));
    }
  }
}
