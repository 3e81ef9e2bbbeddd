/**
 * Limits the bytes in memory at once by making tasks wait, first come, first served. A task larger
 * than the limit runs alone.
 */
export class ByteBudget {
  private held = 0;
  private readonly waiting: { bytes: number; go: () => void }[] = [];

  constructor(private readonly limit: number) {}

  async use<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.waiting.length > 0 || !this.fits(bytes))
      await new Promise<void>((go) => this.waiting.push({ bytes, go }));
    else this.held += bytes;
    try {
      return await work();
    } finally {
      this.held -= bytes;
      for (let next = this.waiting[0]; next && this.fits(next.bytes); next = this.waiting[0]) {
        this.waiting.shift();
        this.held += next.bytes;
        next.go();
      }
    }
  }

  private fits(bytes: number): boolean {
    return this.held === 0 || this.held + bytes <= this.limit;
  }
}
