interface Waiter {
  permits: number;
  go: () => void;
}

/**
 * Limits what is in use at once, such as bytes in memory or concurrent calls, by making tasks wait in
 * their order. A task that needs more than the limit runs alone.
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
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<T> {
    const hasWaited = !this.tryAcquire(permits);
    if (hasWaited) await this.wait(permits, signal);
    try {
      return await task(hasWaited);
    } finally {
      this.release(permits);
    }
  }

  /** False if it would have to wait; otherwise the caller must release. */
  tryAcquire(permits: number): boolean {
    if (this.waiting.length > 0 || !this.fits(permits)) return false;
    this.held += permits;
    return true;
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

  private async wait(permits: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve: go, reject } = Promise.withResolvers<void>();
    const waiter = { permits, go };
    const leave = (): void => {
      const place = this.waiting.indexOf(waiter);
      // The waiter has just been admitted.
      if (place < 0) return;
      this.waiting.splice(place, 1);
      reject(signal!.reason as Error);
      this.admit();
    };
    this.waiting.push(waiter);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
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
