/** Items that this process fetches at the same time, over all sources. */
const places = 16;

/** Limits how many items are fetched at once; waiting ones are served in order. */
export class FetchPlaces {
  private free = places;
  private readonly waiting: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
