import type { Table } from "@lancedb/lancedb";
import { LRUCache } from "lru-cache";

/** The parts of a query result a row cache needs; `withRowId` adds the hits' addresses. */
interface Answer {
  numRows: number;
  getChild(name: string): { get(row: number): unknown } | null;
}

/** Results with fewer rows don't show whether a workspace is cached. */
const tellingRows = 20;
/** Rows read ahead before yielding to the event loop: about 2 ms. */
const rowsInTurn = 50;
/**
 * Reading ahead pauses for this multiple of its duration, so that it stays a small share of the
 * work where writers move rows all the time.
 */
const restFactor = 4;

/**
 * Caches the rows of a LanceDB table by address. Files are only ever added, so an address never
 * gets other content: queries ask for addresses only, and columns, which cost more than the search
 * itself, are read once.
 */
export class RowCache<Value extends object> {
  private readonly rows: LRUCache<bigint, Value>;
  private readonly columns: string[];
  private readonly read: (column: (name: string) => string) => Value;
  private readonly maxSize: number;
  /** The read-ahead in progress; at most one query at a time. */
  private ahead: Promise<void> | null = null;
  private isClosed = false;
  private restUntil = 0;
  /** Changes when the cache is cleared, so that rows still being read ahead are dropped. */
  private generation = 0;

  constructor(o: {
    columns: string[];
    read(column: (name: string) => string): Value;
    maxSize: number;
    sizeOf(value: Value): number;
  }) {
    this.columns = o.columns;
    this.read = o.read.bind(o);
    this.maxSize = o.maxSize;
    this.rows = new LRUCache({
      maxSize: o.maxSize,
      sizeCalculation: (value) => Math.max(1, o.sizeOf(value)),
    });
  }

  /**
   * The rows of a result with `_rowid`, in its order; null if compaction moved some of them, in
   * which case query again with the columns. If most are unknown, all rows matching `filter` are
   * read ahead in the background.
   */
  async find(table: Table, answer: Answer, filter: string): Promise<Value[] | null> {
    const addresses = answer.getChild("_rowid");
    const wanted = Array.from({ length: answer.numRows }, (_, row) =>
      BigInt(addresses?.get(row) as bigint),
    );
    const found = new Map<bigint, Value>();
    const missing: bigint[] = [];
    for (const address of wanted) {
      const value = this.rows.get(address);
      if (value) found.set(address, value);
      else missing.push(address);
    }
    if (missing.length > 0) {
      // Addresses in a file replaced by compaction are refused or skipped.
      const read = await table
        .takeRowIds(missing)
        .select(this.columns)
        .withRowId()
        .toArrow()
        .catch(() => null);
      if (read === null || read.numRows < missing.length) return null;
      const readAddresses = read.getChild("_rowid");
      for (const [row, value] of this.readAll(read).entries()) {
        const address = BigInt(readAddresses?.get(row) as bigint);
        this.rows.set(address, value);
        found.set(address, value);
      }
    }
    if (wanted.length >= tellingRows && missing.length > wanted.length / 2)
      this.startAhead(table, filter);
    const values = wanted.flatMap((address) => found.get(address) ?? []);
    return values.length === wanted.length ? values : null;
  }

  /** The rows of a result that includes the columns. */
  readAll(answer: Answer): Value[] {
    const columns = new Map(this.columns.map((name) => [name, answer.getChild(name)]));
    return Array.from({ length: answer.numRows }, (_, row) =>
      this.read((name) => String(columns.get(name)?.get(row))),
    );
  }

  clear(): void {
    this.generation++;
    this.rows.clear();
  }

  get size(): number {
    return this.rows.size;
  }

  /**
   * After compaction most addresses are new, so reading ahead need not pause. No more rows are kept
   * than the table has: without that, their old addresses would fill the cache.
   */
  async moved(table: Table): Promise<void> {
    this.restUntil = 0;
    const rows = await table.countRows();
    while (this.rows.size > rows) this.rows.pop();
  }

  /** Drops everything and waits for the read-ahead in progress, so that the table can be closed. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.clear();
    await this.ahead;
  }

  private startAhead(table: Table, filter: string): void {
    if (this.isClosed || this.ahead || performance.now() < this.restUntil) return;
    if (this.rows.size === 0) return;
    this.ahead = this.readAhead(table, filter).finally(() => {
      this.ahead = null;
    });
  }

  /** Never rejects: rows that could not be read ahead are read on demand. */
  private async readAhead(table: Table, filter: string): Promise<void> {
    const started = performance.now();
    const generation = this.generation;
    try {
      const rows = await table.countRows(filter);
      // Reading more than fits would evict the rows just read.
      if (rows * (this.rows.calculatedSize / this.rows.size) > this.maxSize) return;
      for await (const batch of table.query().where(filter).select(this.columns).withRowId()) {
        const columns = new Map(this.columns.map((name) => [name, batch.getChild(name)]));
        const addresses = batch.getChild("_rowid");
        for (let row = 0; row < batch.numRows; row++) {
          if (row % rowsInTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve));
          if (generation !== this.generation) return;
          const address = BigInt(addresses?.get(row) as bigint);
          if (!this.rows.has(address))
            this.rows.set(
              address,
              this.read((name) => String(columns.get(name)?.get(row))),
            );
        }
      }
    } catch {
      // The next search reports a table that cannot be read.
    } finally {
      const ended = performance.now();
      this.restUntil = ended + restFactor * (ended - started);
    }
  }
}
