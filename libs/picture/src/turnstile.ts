import { CarrelError } from "@carrel/contracts";

/** Lets `abreast` pieces of work go on at once and `room` wait; who finds no room gets BUSY. */
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
        throw new CarrelError(
          "BUSY",
          "Too many pictures are being processed. Try again in a moment.",
          { details: { retryAfter: 2 } },
        );
      // Who leaves hands its place over, so that nobody who comes meanwhile takes it.
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
