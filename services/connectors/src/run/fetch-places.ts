interface Waiting {
  owner: string;
  begin(): void;
}

/**
 * Limits how many items are fetched at once. Whoever has the fewest places gets the next one, and
 * nobody more than `perOwner`.
 */
export class FetchPlaces {
  private readonly held = new Map<string, number>();
  private readonly waiting: Waiting[] = [];

  constructor(
    private free: number,
    private readonly perOwner = free,
  ) {}

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.free > 0 && this.count(owner) < this.perOwner) this.take(owner);
    else await new Promise<void>((begin) => this.waiting.push({ owner, begin }));
    try {
      return await work();
    } finally {
      this.give(owner);
    }
  }

  private count(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  private take(owner: string): void {
    this.free -= 1;
    this.held.set(owner, this.count(owner) + 1);
  }

  private give(owner: string): void {
    this.free += 1;
    const left = this.count(owner) - 1;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    let next: Waiting | null = null;
    for (const each of this.waiting) {
      const least = next === null ? this.perOwner : this.count(next.owner);
      if (this.count(each.owner) < least) next = each;
    }
    if (next === null) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.take(next.owner);
    next.begin();
  }
}
