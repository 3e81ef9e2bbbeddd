/**
 * Limits what is in use at once, such as bytes in memory or concurrent calls, by making tasks wait,
 * first come, first served. A task that needs more than the limit runs alone.
 */
export class Semaphore {
  private held = 0;
  private readonly waiting: { permits: number; go: () => void }[] = [];

  constructor(private readonly limit: number) {}

  async use<T>(permits: number, work: () => Promise<T>): Promise<T> {
    if (this.waiting.length > 0 || !this.fits(permits))
      await new Promise<void>((go) => this.waiting.push({ permits, go }));
    else this.held += permits;
    try {
      return await work();
    } finally {
      this.held -= permits;
      for (let next = this.waiting[0]; next && this.fits(next.permits); next = this.waiting[0]) {
        this.waiting.shift();
        this.held += next.permits;
        next.go();
      }
    }
  }

  private fits(permits: number): boolean {
    return this.held === 0 || this.held + permits <= this.limit;
  }
}
