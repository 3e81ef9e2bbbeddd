import { CarrelError } from "@carrel/contracts";

/** Runs up to `maximum` tasks at once and queues up to `queueLimit`; throws BUSY beyond that. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly maximum: number,
    private readonly queueLimit: number,
    private readonly busy: "picture.busy" | "dictation.busy" = "picture.busy",
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.maximum) {
      if (this.waiting.length >= this.queueLimit)
        throw new CarrelError(this.busy, {}, { retryAfter: 2 });
      // Finished work hands its slot to the next in the queue, so that a new caller can't take it.
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
