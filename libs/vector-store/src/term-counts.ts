import type { TermStatistics } from "./text-index.ts";

/** Document frequency of each term in one workspace. */
export class TermCounts {
  /** Chunks in the workspace; more than were counted if they were sampled. */
  chunks = 0;
  /** Changes couldn't be followed, so terms may be missing. */
  isOutdated = false;
  private counted = 0;
  private totalLength = 0;
  private readonly places = new Map<string, number>();
  private readonly counts: number[] = [];
  /** The last list in which each term was counted, so that it counts once per list. */
  private readonly last: number[] = [];
  private lists = 0;

  get isSample(): boolean {
    return this.isOutdated || this.chunks > this.counted;
  }
  /** Number of distinct terms. */
  get size(): number {
    return this.places.size;
  }

  /** The terms of one chunk that was added or, with `by` -1, removed. */
  add(terms: string[], by: 1 | -1 = 1): void {
    this.chunks += by;
    this.count(terms, by);
  }

  /** The terms of one sampled chunk; the caller sets `chunks`. */
  sample(terms: string[]): void {
    this.count(terms, 1);
  }

  private count(terms: string[], by: 1 | -1): void {
    this.counted += by;
    this.totalLength += by * terms.length;
    const list = ++this.lists;
    for (const term of terms) {
      let place = this.places.get(term);
      if (place === undefined) {
        place = this.counts.push(0) - 1;
        this.last.push(0);
        // A substring longer than 12 characters would keep the whole joined string alive.
        this.places.set(term.length > 12 ? Buffer.from(term).toString() : term, place);
      }
      if (this.last[place] === list) continue;
      this.last[place] = list;
      this.counts[place] = Math.max(0, this.counts[place]! + by);
    }
  }

  statistics(terms: string[]): TermStatistics {
    const scale = this.counted > 0 ? this.chunks / this.counted : 1;
    const frequencies = new Map<string, number>();
    for (const term of terms) {
      const place = this.places.get(term);
      const count = place === undefined ? 0 : this.counts[place]!;
      if (count > 0) frequencies.set(term, Math.round(count * scale));
    }
    return {
      documentCount: this.chunks,
      frequencies,
      averageLength: this.counted > 0 ? this.totalLength / this.counted : 0,
      ...(this.isSample && { isSample: true }),
    };
  }
}
