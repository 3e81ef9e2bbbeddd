import { cellKind, isYear, shapeOf, type CellKind } from "./cell-kind.ts";
import { countOwn, type SheetRow } from "./sheet-row.ts";

/** Share of a column's cells that must be of one kind to say something about the column. */
export const mostly = 0.7;

/** Longer cells are sentences; among others of that length, they aren't names. */
const longestName = 120;

/** Among fewer other values, none repeats by chance. */
const fewestOthers = 3;

/** The cells of one column below a row. */
export class ColumnCells {
  private readonly kinds = new Map<CellKind, number>();
  private readonly values = new Map<string, number>();
  private readonly shapes = new Map<string, number>();
  private years = 0;
  private hasSentences = false;
  filled = 0;

  add(value: string): void {
    const kind = cellKind(value);
    this.filled++;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.values.set(value, (this.values.get(value) ?? 0) + 1);
    if (isYear(value)) this.years++;
    if (value.length > longestName) this.hasSentences = true;
    if (kind !== "code") return;
    const shape = shapeOf(value);
    this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + 1);
  }

  /** Share of these kinds among the cells that say something. */
  share(...kinds: CellKind[]): number {
    const known = this.filled - (this.kinds.get("missing") ?? 0);
    const wanted = kinds.reduce((sum, kind) => sum + (this.kinds.get(kind) ?? 0), 0);
    return known === 0 ? 0 : wanted / known;
  }

  /** Share of a value among the cells. */
  shareOf(value: string): number {
    return (this.values.get(value) ?? 0) / Math.max(1, this.filled);
  }

  /**
   * Whether a name is one of the values, in a column where values recur. If all other values
   * differ, an equal one is just as likely to share the column's name.
   */
  private isValue(name: string): boolean {
    const times = this.values.get(name) ?? 0;
    const others = this.filled - times;
    const recurs = this.values.size - 1 < others * 0.9;
    return times > 0 && (times > 1 || others < fewestOthers || recurs);
  }

  /** 1 if a name differs from the column's cells in kind, -1 if it looks like one of them. */
  compare(name: string): number {
    const kind = cellKind(name);
    const isAmounts = this.share("number", "date") >= mostly;
    if (kind === "missing") return 0;
    if (kind === "date") return this.share("date") > 0 ? -1 : Number(isAmounts);
    if (kind === "number" && !isYear(name)) return 0;
    if (kind === "number") return isAmounts ? (this.years * 2 > this.filled ? -1 : 1) : 0;
    if (this.isValue(name) || (name.length > longestName && this.hasSentences)) return -1;
    if (kind !== "code") return Number(this.share("number", "date", "link", "code") >= mostly);
    return (this.shapes.get(shapeOf(name)) ?? 0) * 2 > this.filled ? -1 : Number(isAmounts);
  }
}

/** The cells of each column. */
export function collectColumns(rows: readonly SheetRow[]): Map<number, ColumnCells> {
  const columns = new Map<number, ColumnCells>();
  for (const row of rows)
    for (const [column, value] of row.cells) {
      let cells = columns.get(column);
      if (!cells) columns.set(column, (cells = new ColumnCells()));
      cells.add(value);
    }
  return columns;
}

/** Whether at least half of the cells have a name. */
export function covers(names: ReadonlyMap<number, string>, rows: readonly SheetRow[]): boolean {
  const [firstNamed] = names.keys();
  let cells = 0;
  let named = 0;
  for (const row of rows) {
    if (countOwn(row) < 2) continue;
    const [first] = row.cells.keys();
    if (first! > firstNamed! && !names.has(first!)) return false;
    cells += row.cells.size;
    for (const column of row.cells.keys()) if (names.has(column)) named++;
  }
  return named * 2 >= cells;
}
