import type { Sheet } from "../worker/conversion.ts";

/** Of the text in cells, in pixels. */
const characterWidth = 7.2;
const lineHeight = 18;
const padding = { inline: 24, block: 9 };
const narrowest = 64;
const widest = 320;
/** About how many rows the widths of columns are taken from. */
const sampledRows = 300;
/** Longer cells are cut off. */
const mostLines = 12;

export interface SheetLayout {
  /** Widths of the columns. */
  widths: number[];
  heightOf: (row: number) => number;
}

const wordsWidth = (text: string): number => Math.ceil(text.length * characterWidth);

/** Sizes of a sheet's columns and rows, from the lengths of its texts. */
export function layOutSheet({ rows }: Sheet): SheetLayout {
  const widths: number[] = [];
  const step = Math.ceil(rows.length / sampledRows);
  for (const [index, row] of rows.entries())
    for (const [column, cell] of row.entries()) {
      widths[column] ??= narrowest;
      if (index % step === 0 && cell.length > 0)
        widths[column] = Math.min(
          widest,
          Math.max(widths[column], wordsWidth(cell) + padding.inline),
        );
    }
  const linesOf = (cell: string, width: number): number =>
    cell
      .split("\n")
      .reduce(
        (sum, line) => sum + Math.max(1, Math.ceil(wordsWidth(line) / (width - padding.inline))),
        0,
      );
  return {
    widths: Array.from(widths, (width) => width ?? narrowest),
    heightOf: (row) =>
      padding.block +
      lineHeight *
        (rows[row] ?? []).reduce(
          (most, cell, column) =>
            Math.min(mostLines, Math.max(most, linesOf(cell, widths[column]!))),
          1,
        ),
  };
}

/** A column's letters: A to Z, then AA. */
export function columnName(index: number): string {
  let name = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}
