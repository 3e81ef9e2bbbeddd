import type { Table } from "@lancedb/lancedb";
import { LRUCache } from "lru-cache";

/** The parts of a query result a row cache needs; `withRowId` adds the hits' addresses. */
interface Answer {
  numRows: number;
  getChild(name: string): { get(row: number): unknown } | null;
}

/**
 * Caches the rows of a LanceDB table by address. Files are only ever added, so an address never
 * gets other content: queries ask for addresses only, and columns, which cost more than the search
 * itself, are read once.
 */
export class RowCache<Value extends object> {
  private readonly rows: LRUCache<bigint, Value>;
  private readonly columns: string[];
  private readonly read: (column: (name: string) => string) => Value;

  constructor(o: {
    columns: string[];
    read(column: (name: string) => string): Value;
    maxSize: number;
    sizeOf(value: Value): number;
  }) {
    this.columns = o.columns;
    this.read = o.read.bind(o);
    this.rows = new LRUCache({
      maxSize: o.maxSize,
      sizeCalculation: (value) => Math.max(1, o.sizeOf(value)),
    });
  }

  /**
   * The rows of a result with `_rowid`, in its order; null if compaction moved some of them, in
   * which case query again with the columns.
   */
  async find(table: Table, answer: Answer): Promise<Value[] | null> {
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
    this.rows.clear();
  }

  get size(): number {
    return this.rows.size;
  }

  /**
   * Call this after compaction, which gives most rows new addresses. The cache keeps no more rows
   * than the table has; otherwise old addresses would fill it.
   */
  async moved(table: Table): Promise<void> {
    const rows = await table.countRows();
    while (this.rows.size > rows) this.rows.pop();
  }
}
