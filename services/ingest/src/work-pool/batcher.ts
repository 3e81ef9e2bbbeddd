/**
 * Handles calls in groups without a fixed wait: the first call is handled at once, and those that
 * arrive meanwhile form the next group. Full groups may run beside each other; a group that isn't
 * full waits until no other one is running.
 */
export class Batcher<Item, Result> {
  private readonly waiting: ({ item: Item } & PromiseWithResolvers<Result>)[] = [];
  private running = 0;
  private isStarting = false;

  constructor(
    /** Returns one result for each item, in order; if it throws, all of them fail. */
    private readonly handle: (items: Item[]) => Promise<Result[]>,
    private readonly o: {
      /** Maximum items in a group. */
      most: number;
      /** Maximum groups at once. */
      atOnce?: number;
    },
  ) {}

  run(item: Item): Promise<Result> {
    const call = { item, ...Promise.withResolvers<Result>() };
    this.waiting.push(call);
    this.startSoon();
    return call.promise;
  }

  /** Calls made in the same turn of the event loop share the first group. */
  private startSoon(): void {
    if (this.isStarting) return;
    this.isStarting = true;
    queueMicrotask(() => {
      this.isStarting = false;
      this.start();
    });
  }

  private start(): void {
    const { most, atOnce = 1 } = this.o;
    while (
      this.waiting.length > 0 &&
      (this.running === 0 || (this.waiting.length >= most && this.running < atOnce))
    ) {
      const group = this.waiting.splice(0, most);
      this.running++;
      void this.settle(group).finally(() => {
        this.running--;
        this.start();
      });
    }
  }

  private async settle(group: ({ item: Item } & PromiseWithResolvers<Result>)[]): Promise<void> {
    try {
      const results = await this.handle(group.map(({ item }) => item));
      for (const [n, { resolve }] of group.entries()) resolve(results[n]!);
    } catch (fault) {
      for (const { reject } of group) reject(fault);
    }
  }
}
