import type { First } from "./vector-index.ts";

/**
 * A commit of so many rows is worth its price, and nothing that has to run alone waits for company.
 */
const manyRows = 256;

/**
 * One table's writes in the order they were asked for. Upserts that wait together become one
 * commit, because every
 * commit of an embedded table makes a version and a file that slow each later search.
 */
export class WriteQueue<Row> {
  #waiting: (
    ({ rows: Row[]; first: First } & Settled) | ({ run: () => Promise<void> } & Settled)
  )[] = [];
  #running: Promise<void> | null = null;
  readonly #commit: (rows: Row[], firsts: First[]) => Promise<void>;
  readonly #maxRows: number;
  readonly #gatherMs: number;
  /** When the last commit ended (performance.now()). */
  #committed = -Infinity;

  /**
   * `gatherMs`: within so long after a commit the next one waits for more rows, unless `manyRows`
   * wait already; 0 (default): never.
   */
  constructor(
    commit: (rows: Row[], firsts: First[]) => Promise<void>,
    o: { maxRows?: number; gatherMs?: number } = {},
  ) {
    this.#commit = commit;
    this.#maxRows = o.maxRows ?? 10_000;
    this.#gatherMs = o.gatherMs ?? 0;
  }

  /** Rows never written before (`first`) and others do not share a commit. */
  upsert(rows: Row[], first: First): Promise<void> {
    return new Promise((resolve, reject) => this.#push({ rows, first, resolve, reject }));
  }

  /** Runs alone, after everything that was asked for earlier. */
  run(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => this.#push({ run: work, resolve, reject }));
  }

  /** Resolves when nothing waits or runs any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #gather(rows: number): Promise<void> {
    const left = this.#gatherMs - (performance.now() - this.#committed);
    let waiting = rows;
    for (const entry of this.#waiting) waiting += "rows" in entry ? entry.rows.length : manyRows;
    if (left > 0 && waiting < manyRows)
      await new Promise<void>((resolve) => setTimeout(resolve, left));
  }

  #push(
    entry: ({ rows: Row[]; first: First } & Settled) | ({ run: () => Promise<void> } & Settled),
  ): void {
    this.#waiting.push(entry);
    this.#running ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // The callers of this turn of the event loop go into the first commit together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let head = this.#waiting.shift(); head; head = this.#waiting.shift()) {
      const group = [head];
      let work: () => Promise<void>;
      if ("run" in head) work = head.run;
      else {
        await this.#gather(head.rows.length);
        const rows = [...head.rows];
        const firsts = [head.first];
        const isFirst = head.first !== false;
        for (
          let next = this.#waiting[0];
          next &&
          "rows" in next &&
          (next.first !== false) === isFirst &&
          rows.length + next.rows.length <= this.#maxRows;
          next = this.#waiting[0]
        ) {
          for (const row of next.rows) rows.push(row);
          group.push(next);
          firsts.push(next.first);
          this.#waiting.shift();
        }
        work = () => this.#commit(rows, firsts);
      }
      const isCommit = !("run" in head);
      try {
        await work();
        for (const entry of group) entry.resolve();
      } catch (error) {
        for (const entry of group) entry.reject(error);
      } finally {
        if (isCommit) this.#committed = performance.now();
      }
    }
    // In the same turn as the last look at what waits: set later, an entry pushed in between would
    // wait for ever.
    this.#running = null;
  }
}

interface Settled {
  resolve: () => void;
  reject: (error: unknown) => void;
}
