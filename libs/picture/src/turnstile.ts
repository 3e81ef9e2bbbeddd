import { CarrelError } from "@carrel/contracts";

/** Runs up to `abreast` pieces of work at once and queues up to `room`; throws BUSY beyond that. */
export class Turnstile {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly abreast: number,
    private readonly room: number,
  ) {}

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.abreast) {
      if (this.waiting.length >= this.room)
        throw new CarrelError("picture.busy", {}, { retryAfter: 2 });
      // The finishing work hands over its slot, so that a new caller cannot take it.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
