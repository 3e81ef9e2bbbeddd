import type { TermStatistics } from './text-index.ts';

/** Rows read for a workspace's counts at most; a bigger workspace is counted from that many and scaled up. */
export const sampleRows = 50_000;
/** Distinct terms kept over all workspaces (some 80 bytes each); the workspaces searched longest ago are dropped first. */
const maxTerms = 2_000_000;

/** Counts of one workspace: in how many chunks each term stands. */
export class TermCounts {
  documentCount = 0;
  totalLength = 0;
  /** Above 1 when only a sample was read. */
  scale = 1;
  readonly frequencies = new Map<string, number>();

  add(terms: string[], by: 1 | -1 = 1): void {
    this.documentCount += by;
    this.totalLength += by * terms.length;
    for (const term of new Set(terms)) {
      const count = (this.frequencies.get(term) ?? 0) + by;
      if (count <= 0) this.frequencies.delete(term);
      else if (count > 1) this.frequencies.set(term, count);
      // Cut from a joined string, a term longer than 12 characters would keep all of that string alive.
      else this.frequencies.set(term.length > 12 ? Buffer.from(term).toString() : term, 1);
    }
  }

  statistics(terms: string[]): TermStatistics {
    const frequencies = new Map<string, number>();
    for (const term of terms) {
      const count = this.frequencies.get(term);
      if (count) frequencies.set(term, Math.round(count * this.scale));
    }
    return {
      documentCount: Math.round(this.documentCount * this.scale), frequencies,
      averageLength: this.documentCount ? this.totalLength / this.documentCount : 0,
    };
  }
}

/** The counts of the workspaces searched last, loaded on demand. */
export class TermCountCache {
  readonly #loaded = new Map<number, TermCounts>();
  readonly #loading = new Map<number, Promise<TermCounts>>();

  /** `load` calls `done` in the same turn of the write queue in which it read, so that no write falls in between. */
  constructor(private readonly load: (workspaceId: number, done: (counts: TermCounts) => void) => Promise<void>) {}

  async get(workspaceId: number): Promise<TermCounts> {
    const known = this.#loaded.get(workspaceId);
    if (known) {
      this.#loaded.delete(workspaceId);
      this.#loaded.set(workspaceId, known);
      return known;
    }
    let loading = this.#loading.get(workspaceId);
    if (!loading) {
      let counts: TermCounts | undefined;
      loading = this.load(workspaceId, (read) => {
        counts = read;
        this.#loaded.set(workspaceId, read);
        this.#shrink();
      }).then(() => counts ?? new TermCounts()).finally(() => this.#loading.delete(workspaceId));
      this.#loading.set(workspaceId, loading);
    }
    return loading;
  }

  /** Counts that a write has to keep in step; undefined where none are kept. */
  peek(workspaceId: number): TermCounts | undefined { return this.#loaded.get(workspaceId); }
  delete(workspaceId: number): void { this.#loaded.delete(workspaceId); }
  clear(): void { this.#loaded.clear(); }

  #shrink(): void {
    let terms = 0;
    for (const counts of this.#loaded.values()) terms += counts.frequencies.size;
    for (const [id, counts] of this.#loaded) {
      if (terms <= maxTerms || this.#loaded.size === 1) return;
      this.#loaded.delete(id);
      terms -= counts.frequencies.size;
    }
  }
}
