import { cellKind, isYear, shapeOf, type CellKind } from "./cell-kind.ts";
import { countOwn, type SheetRow } from "./sheet-row.ts";

/** Share of a column's cells that must be of one kind to say something about the column. */
export const mostly = 0.7;

/** Longer cells are sentences; among others of that length, they aren't names. */
const longestName = 120;

/** The cells of one column below a row. */
export class ColumnCells {
  private readonly kinds = new Map<CellKind, number>();
  private readonly values = new Set<string>();
  private readonly shapes = new Map<string, number>();
  private years = 0;
  private hasSentences = false;
  filled = 0;

  add(value: string): void {
    const kind = cellKind(value);
    this.filled++;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.values.add(value);
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

  /** 1 if a name differs from the column's cells in kind, -1 if it looks like one of them. */
  compare(name: string): number {
    const kind = cellKind(name);
    const isAmounts = this.share("number", "date") >= mostly;
    if (kind === "date") return this.share("date") > 0 ? -1 : Number(isAmounts);
    if (kind === "number" && !isYear(name)) return 0;
    if (kind === "number") return isAmounts ? (this.years * 2 > this.filled ? -1 : 1) : 0;
    if (this.values.has(name) || (name.length > longestName && this.hasSentences)) return -1;
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
