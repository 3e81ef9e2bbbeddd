interface Call<Item, Result> extends PromiseWithResolvers<Result> {
  item: Item;
}

/**
 * Handles calls in groups without a fixed wait: while fewer than `maxConcurrent` groups are being
 * handled, a call starts another one immediately; calls that arrive after that form the next group.
 */
export class Batcher<Item, Result> {
  private readonly waiting: Call<Item, Result>[] = [];
  private running = 0;
  private isStarting = false;

  constructor(
    /** Returns one result for each item, in order; if it throws, all of them fail. */
    private readonly handle: (items: Item[]) => Promise<Result[]>,
    private readonly options: { maxItems: number; maxConcurrent?: number },
  ) {}

  run(item: Item): Promise<Result> {
    const call = { item, ...Promise.withResolvers<Result>() };
    this.waiting.push(call);
    this.startSoon();
    return call.promise;
  }

  /** Calls made in the same turn of the event loop share a group. */
  private startSoon(): void {
    if (this.isStarting) return;
    this.isStarting = true;
    queueMicrotask(() => {
      this.isStarting = false;
      this.start();
    });
  }

  private start(): void {
    const { maxItems, maxConcurrent = 1 } = this.options;
    while (this.waiting.length > 0 && this.running < maxConcurrent) {
      const group = this.waiting.splice(0, maxItems);
      this.running++;
      void this.settle(group).finally(() => {
        this.running--;
        this.start();
      });
    }
  }

  private async settle(group: Call<Item, Result>[]): Promise<void> {
    try {
      const results = await this.handle(group.map(({ item }) => item));
      for (const [n, { resolve }] of group.entries()) resolve(results[n]!);
    } catch (fault) {
      for (const { reject } of group) reject(fault);
    }
  }
}
