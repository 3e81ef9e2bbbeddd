import { sqlLimits, type SqlRows } from "./sql-engine.ts";

/** Keeps the first rows of a result as they arrive, and counts on for a while. */
export class RowCounter {
  columns: string[] = [];
  private readonly rows: unknown[][] = [];
  private counted = 0;
  private endAt = Infinity;

  /** Returns false once no further row is wanted. */
  add(row: unknown[]): boolean {
    this.counted += 1;
    if (this.rows.length < sqlLimits.keptRows) {
      this.rows.push(row);
      return true;
    }
    if (this.endAt === Infinity) this.endAt = performance.now() + sqlLimits.countMs;
    return this.counted < sqlLimits.countedRows && performance.now() < this.endAt;
  }

  result(hasMore: boolean): SqlRows {
    const { columns, rows, counted } = this;
    return { columns, rows, counted, hasMore };
  }
}
