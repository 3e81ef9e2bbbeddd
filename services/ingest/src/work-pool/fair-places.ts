/** Up to this size in bytes or characters, a task rarely takes long. */
export const smallSize = 50_000;

/** Time for which smaller tasks of an owner may overtake a larger one. */
const overtakeMs = 10_000;

interface Waiter {
  owner: string;
  size: number;
  since: number;
  go: () => void;
}

export interface FairPlacesOptions {
  /** Places beyond the limit, for owners who hold fewer than `own`. */
  beyond: number;
  /** Number of its tasks that an owner may have in places beyond the limit. Default: 1. */
  own?: number;
  /** Whether one small task more than the limit may run, whoever its owner is. */
  oneSmallMore?: boolean;
}

/**
 * Limits how many tasks run at once, and shares the places fairly: whoever holds the fewest is next,
 * and an owner who holds none doesn't wait for another who holds them all. Of one owner's tasks,
 * smaller ones go first.
 */
export class FairPlaces {
  private held = 0;
  private readonly holders = new Map<string, number>();
  /** When each owner who holds or waits for a place last got one, by a count of all. */
  private readonly served = new Map<string, number>();
  private count = 0;
  private readonly waiting: Waiter[] = [];

  constructor(
    private limit: number,
    private readonly options: FairPlacesOptions,
  ) {}

  async use<T>(owner: string, size: number, task: () => Promise<T>): Promise<T> {
    if (!this.tryAcquire(owner, size)) await this.wait(owner, size);
    try {
      return await task();
    } finally {
      this.release(owner);
    }
  }

  /** False if the task would have to wait; otherwise the caller must release. */
  tryAcquire(owner: string, size = Infinity): boolean {
    if (!this.hasRoom(owner, size)) return false;
    this.take(owner);
    return true;
  }

  release(owner: string): void {
    const left = this.heldBy(owner) - 1;
    this.held--;
    if (left > 0) this.holders.set(owner, left);
    else {
      this.holders.delete(owner);
      if (!this.waiting.some((waiter) => waiter.owner === owner)) this.served.delete(owner);
    }
    this.admit();
  }

  /** What is held above a lower limit stays held. */
  resize(limit: number): void {
    this.limit = limit;
    this.admit();
  }

  /** Whether a task would start at once. */
  hasRoom(owner: string, size = Infinity): boolean {
    const { beyond, own = 1, oneSmallMore = false } = this.options;
    return (
      this.held < this.limit ||
      (this.heldBy(owner) < own && this.held < this.limit + beyond) ||
      (oneSmallMore && size <= smallSize && this.held === this.limit)
    );
  }

  /** Owners whose tasks wait. */
  get waitingOwners(): Set<string> {
    return new Set(this.waiting.map(({ owner }) => owner));
  }

  private heldBy(owner: string): number {
    return this.holders.get(owner) ?? 0;
  }

  private take(owner: string): void {
    this.held++;
    this.served.set(owner, ++this.count);
    this.holders.set(owner, this.heldBy(owner) + 1);
  }

  private async wait(owner: string, size: number): Promise<void> {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    const since = performance.now();
    const mayOvertake = (other: Waiter): boolean =>
      other.owner === owner && size < other.size && since - other.since < overtakeMs;
    // Only the owner's own tasks are overtaken, and none that wait behind one that can't be.
    const ahead = this.waiting.findLastIndex(
      (other) => other.owner === owner && !mayOvertake(other),
    );
    const place = this.waiting.findIndex((other, n) => n > ahead && mayOvertake(other));
    this.waiting.splice(place < 0 ? this.waiting.length : place, 0, { owner, size, since, go });
    await promise;
  }

  private admit(): void {
    for (let next = this.next(); next; next = this.next()) {
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.take(next.owner);
      next.go();
    }
  }

  /**
   * Picks, among the waiters that fit, the first one of the owner who holds the fewest places; ties
   * go to the owner served longest ago.
   */
  private next(): Waiter | undefined {
    const comesBefore = (one: string, other: string): boolean => {
      const more = this.heldBy(one) - this.heldBy(other);
      return (
        more < 0 || (more === 0 && (this.served.get(one) ?? 0) < (this.served.get(other) ?? 0))
      );
    };
    let best: Waiter | undefined;
    for (const waiter of this.waiting)
      if (
        this.hasRoom(waiter.owner, waiter.size) &&
        (best === undefined || comesBefore(waiter.owner, best.owner))
      )
        best = waiter;
    return best;
  }
}

export interface LongTask {
  owner: string;
  /** null if others can't end it. */
  end: (() => void) | null;
  isEnding: boolean;
}

/**
 * Makes room for waiting tasks of these owners, if long ones hold more than the extra threads, or
 * another owner has several of them: ends the youngest of whoever has the most, among owners of a
 * task that can be ended. `long` is in order of age.
 */
export function endLongTask(
  long: Iterable<LongTask>,
  extra: number,
  waiting: ReadonlySet<string>,
): void {
  // Those that are ending hold their places until their threads have ended.
  const running = [...long].filter(({ isEnding }) => !isEnding);
  const byOwner = Map.groupBy(running, ({ owner }) => owner);
  const countOf = ({ owner }: LongTask): number => byOwner.get(owner)!.length;
  const endable = running.filter(({ end }) => end !== null);
  const most = Math.max(0, ...endable.map(countOf));
  const holdsUp = (owner: string): boolean =>
    running.length > extra || (most > 1 && [...waiting].some((other) => other !== owner));
  const ofMost = endable.filter((task) => countOf(task) === most && holdsUp(task.owner));
  // Prefers the waiting owner's own task to that of somebody who has no more.
  const youngest = ofMost.findLast(({ owner }) => waiting.has(owner)) ?? ofMost.at(-1);
  if (!youngest) return;
  youngest.isEnding = true;
  youngest.end!();
}
