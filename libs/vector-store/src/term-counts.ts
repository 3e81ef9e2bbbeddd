import type { TermStatistics } from "./text-index.ts";

/**
 * Maximum rows read for a workspace's counts. Larger workspaces are sampled evenly and scaled up.
 */
export const sampleRows = 20_000;
/**
 * Distinct terms cached across all workspaces (about 80 bytes each); the least recently searched
 * workspaces are evicted first.
 */
const maxTerms = 2_000_000;

/** Document frequency of each term in one workspace. */
export class TermCounts {
  /** Chunks in the workspace; more than were counted if they were sampled. */
  chunks = 0;
  private counted = 0;
  private totalLength = 0;
  private readonly places = new Map<string, number>();
  private readonly counts: number[] = [];
  /** The last list in which each term was counted, so that it counts once per list. */
  private readonly last: number[] = [];
  private lists = 0;

  get isSample(): boolean {
    return this.chunks > this.counted;
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

/** Counts of recently searched workspaces, loaded on demand. */
export class TermCountCache {
  private readonly loaded = new Map<number, TermCounts>();
  private readonly loading = new Map<number, Promise<TermCounts>>();

  /**
   * `load` calls `done` in the same turn of the write queue as its read, so that no write can come
   * in between.
   */
  constructor(
    private readonly load: (
      workspaceId: number,
      done: (counts: TermCounts) => void,
    ) => Promise<void>,
  ) {}

  async get(workspaceId: number): Promise<TermCounts> {
    const known = this.loaded.get(workspaceId);
    if (known) {
      this.loaded.delete(workspaceId);
      this.loaded.set(workspaceId, known);
      return known;
    }
    let loading = this.loading.get(workspaceId);
    if (!loading) {
      let counts: TermCounts | undefined;
      loading = this.load(workspaceId, (read) => {
        counts = read;
        this.loaded.set(workspaceId, read);
        this.shrink();
      })
        .then(() => counts ?? new TermCounts())
        .finally(() => this.loading.delete(workspaceId));
      this.loading.set(workspaceId, loading);
    }
    return loading;
  }

  /** Counts that a write has to update; undefined if none are cached. */
  peek(workspaceId: number): TermCounts | undefined {
    return this.loaded.get(workspaceId);
  }
  delete(workspaceId: number): void {
    this.loaded.delete(workspaceId);
  }
  clear(): void {
    this.loaded.clear();
  }

  private shrink(): void {
    let terms = 0;
    for (const counts of this.loaded.values()) terms += counts.size;
    for (const [id, counts] of this.loaded) {
      if (terms <= maxTerms || this.loaded.size === 1) return;
      this.loaded.delete(id);
      terms -= counts.size;
    }
  }
}
