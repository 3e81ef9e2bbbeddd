import type { First } from "./vector-store.ts";

/** With this many rows a commit is worth its cost, and work that runs alone isn't delayed. */
const manyRows = 256;

/**
 * One table's writes in call order. Waiting upserts share one commit, because every commit to an
 * embedded table creates a version and a file that slow down each later search.
 */
export class WriteQueue<Row> {
  private waiting: (
    | ({ rows: Row[]; first: First } & Settled)
    | ({ run: () => Promise<void> } & Settled)
  )[] = [];
  private running: Promise<void> | null = null;
  private readonly maxRows: number;
  private readonly gatherMs: number;
  /** When the last commit ended (performance.now()). */
  private committed = -Infinity;

  /**
   * `gatherMs`: after a commit, the next one waits up to this long for more rows, unless `manyRows`
   * are already waiting. 0 (the default) disables the wait.
   */
  constructor(
    private readonly commit: (rows: Row[], firsts: First[]) => Promise<void>,
    o: { maxRows?: number; gatherMs?: number } = {},
  ) {
    this.maxRows = o.maxRows ?? 10_000;
    this.gatherMs = o.gatherMs ?? 0;
  }

  /** Rows never written before (`first`) don't share a commit with other rows. */
  upsert(rows: Row[], first: First): Promise<void> {
    return new Promise((resolve, reject) => this.push({ rows, first, resolve, reject }));
  }

  /** Runs alone, after everything queued earlier. */
  run(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => this.push({ run: work, resolve, reject }));
  }

  /** Resolves when the queue is empty and nothing is running. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async gather(rows: number): Promise<void> {
    const left = this.gatherMs - (performance.now() - this.committed);
    let waiting = rows;
    for (const entry of this.waiting) waiting += "rows" in entry ? entry.rows.length : manyRows;
    if (left > 0 && waiting < manyRows)
      await new Promise<void>((resolve) => setTimeout(resolve, left));
  }

  private push(
    entry: ({ rows: Row[]; first: First } & Settled) | ({ run: () => Promise<void> } & Settled),
  ): void {
    this.waiting.push(entry);
    this.running ??= this.drain();
  }

  private async drain(): Promise<void> {
    // Calls from the same turn of the event loop share the first commit.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let head = this.waiting.shift(); head; head = this.waiting.shift()) {
      const group = [head];
      let work: () => Promise<void>;
      if ("run" in head) work = head.run;
      else {
        await this.gather(head.rows.length);
        const rows = [...head.rows];
        const firsts = [head.first];
        const isFirst = head.first !== false;
        for (
          let next = this.waiting[0];
          next &&
          "rows" in next &&
          (next.first !== false) === isFirst &&
          rows.length + next.rows.length <= this.maxRows;
          next = this.waiting[0]
        ) {
          for (const row of next.rows) rows.push(row);
          group.push(next);
          firsts.push(next.first);
          this.waiting.shift();
        }
        work = () => this.commit(rows, firsts);
      }
      const isCommit = !("run" in head);
      try {
        await work();
        for (const entry of group) entry.resolve();
      } catch (error) {
        for (const entry of group) entry.reject(error);
      } finally {
        if (isCommit) this.committed = performance.now();
      }
    }
    // In the same turn as the last check of the queue: otherwise an entry pushed in between would
    // wait forever.
    this.running = null;
  }
}

interface Settled {
  resolve: () => void;
  reject: (error: unknown) => void;
}
