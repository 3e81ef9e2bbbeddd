interface Waiter {
  permits: number;
  size: number;
  since: number;
  go: () => void;
}

/** How long smaller tasks may overtake a waiting one. */
const overtakeMs = 10_000;

/**
 * Limits what is in use at once, such as bytes in memory or concurrent calls, by making tasks wait:
 * smaller ones go first, and those of one size in their order. A task that needs more than the limit
 * runs alone.
 */
export class Semaphore {
  private held = 0;
  private readonly waiting: Waiter[] = [];

  constructor(private limit: number) {}

  /**
   * Runs the task once there is room, and tells it whether it had to wait. Rejects with the
   * signal's reason if that aborts first.
   */
  async use<T>(
    permits: number,
    task: (hasWaited: boolean) => Promise<T>,
    { signal, size = 0 }: { signal?: AbortSignal; size?: number } = {},
  ): Promise<T> {
    const hasWaited = !this.tryAcquire(permits);
    if (hasWaited) await this.wait(permits, size, signal);
    try {
      return await task(hasWaited);
    } finally {
      this.release(permits);
    }
  }

  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** Whether a task that needs one permit would start at once. */
  get hasRoom(): boolean {
    return this.waiting.length === 0 && this.fits(1);
  }

  /** False if it would have to wait; otherwise the caller must release. */
  tryAcquire(permits: number): boolean {
    if (this.waiting.length > 0 || !this.fits(permits)) return false;
    this.held += permits;
    return true;
  }

  /** For a task that runs already, whether or not there is room. */
  acquire(permits: number): void {
    this.held += permits;
  }

  release(permits: number): void {
    this.held -= permits;
    this.admit();
  }

  /** A task that held `from` permits holds `to` from now on, even beyond the limit. */
  adjust(from: number, to: number): void {
    this.held += to - from;
    this.admit();
  }

  /** What is held above a lower limit stays held. */
  resize(limit: number): void {
    this.limit = limit;
    this.admit();
  }

  private async wait(permits: number, size: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve: go, reject } = Promise.withResolvers<void>();
    const waiter = { permits, size, since: performance.now(), go };
    const leave = (): void => {
      const place = this.waiting.indexOf(waiter);
      // It has just been admitted.
      if (place < 0) return;
      this.waiting.splice(place, 1);
      reject(signal!.reason as Error);
      this.admit();
    };
    this.enqueue(waiter);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  private enqueue(waiter: Waiter): void {
    const mayOvertake = ({ size, since }: Waiter): boolean =>
      waiter.size < size && waiter.since - since < overtakeMs;
    const place = this.waiting.findLastIndex((other) => !mayOvertake(other)) + 1;
    this.waiting.splice(place, 0, waiter);
  }

  private admit(): void {
    for (let next = this.waiting[0]; next && this.fits(next.permits); next = this.waiting[0]) {
      this.waiting.shift();
      this.held += next.permits;
      next.go();
    }
  }

  private fits(permits: number): boolean {
    return this.held === 0 || this.held + permits <= this.limit;
  }
}
