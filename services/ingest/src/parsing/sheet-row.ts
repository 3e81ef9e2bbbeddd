import { clipText } from "@carrel/contracts/clip-text";

/*
 * Rows repeat the names of their columns, and merged cells their text. Once that has made a text this
 * many times as long as the cells, and not a short one, less of it is written: a name of 250,000
 * characters above 100,000 rows made a text that nothing could hold.
 */
const mostGrowth = 4;
const shortText = 50_000;
/** Names of this length are always written whole. */
const shortName = 60;

/** Counts what a table's cells contain and what is repeated beside them. */
export class Repetition {
  private own = 0;
  private repeated = 0;

  addOwn(text: string): void {
    this.own += text.length;
  }

  /** Whether `text` may be repeated; if so, it is counted. */
  mayRepeat(text: string): boolean {
    if (this.repeated > shortText + mostGrowth * this.own) return false;
    this.repeated += text.length;
    return true;
  }
}

/** Writes the cells of a table with the names of their columns. */
export class ColumnLabels {
  private readonly repetition = new Repetition();

  /** `name: value`. */
  write(name: string, value: string): string {
    this.repetition.addOwn(value);
    const shown = this.repetition.mayRepeat(name) ? name : clipText(name, shortName);
    return shown === "" ? value : `${shown}: ${value}`;
  }
}

/** Cells of a sheet filled from merged ones; more aren't a table. */
export const maxMergedCells = 500_000;

/** A comment on a cell. */
export interface CellComment {
  column: number;
  author: string;
  text: string;
}

export interface SheetRow {
  /** Position in the sheet, from 0. */
  index: number;
  /** Filled cells by column, in ascending order. */
  cells: ReadonlyMap<number, string>;
  /** Columns that repeat the cell to their left, with which they are merged. */
  merged?: ReadonlySet<number>;
  comments?: readonly CellComment[];
}

/** Number of cells that have their own text. */
export const countOwn = (row: SheetRow): number => row.cells.size - (row.merged?.size ?? 0);

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Whether all cells are equal. */
export const isSame = (row: SheetRow, other: SheetRow): boolean => {
  if (row.cells.size !== other.cells.size) return false;
  for (const [column, value] of row.cells) if (other.cells.get(column) !== value) return false;
  return true;
};

/** Cells side by side: gaps are kept, so that columns stay recognisable. */
export function sideBySide({ cells, merged }: SheetRow): string {
  const parts: string[] = [];
  let last = -1;
  for (const [column, value] of cells) {
    if (merged?.has(column)) continue;
    // A wide gap says no more than a narrow one.
    for (let gap = last + 1; gap < column && gap < last + 4 && last >= 0; gap++) parts.push("");
    parts.push(oneLine(value));
    last = column;
  }
  return parts.join(" | ");
}

/** A row of two cells, a name and its value. */
export const keyValue = ({ cells }: SheetRow): string => {
  const [key = "", value = ""] = [...cells.values()].map(oneLine);
  return `${key.replace(/\s*:$/, "")}: ${value}`;
};
