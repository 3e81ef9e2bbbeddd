import { ColumnLabels } from "./sheet-row.ts";

/** A table's cells, row by row. */
export interface Table {
  rows: string[][];
  /** Number of rows at the top that name the columns. */
  headerRows: number;
}

const oneLine = (value: string): string => value.replace(/\s+/g, " ").trim();

/** Cells side by side, without the empty ones at the end. */
export const joinCells = (cells: readonly string[]): string =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1).join(" | ");

/** One row as `header: value` lines, so that a passage explains its own numbers. */
function writeRow(header: readonly string[], row: readonly string[], labels: ColumnLabels): string {
  const lines: string[] = [];
  for (const [i, value] of row.entries()) {
    if (value.trim() === "") continue;
    lines.push(labels.write(header[i] ?? `column ${i + 1}`, value.trim()));
  }
  return lines.join("\n");
}

/**
 * Paragraphs of a table: each row with its column names if there are any, otherwise its cells side
 * by side.
 */
export function writeTable({ rows, headerRows }: Table): string[] {
  const filled = rows.map((row) => row.map((cell) => cell.trim()));
  const widest = filled.reduce((most, row) => Math.max(most, row.length), 0);
  if (headerRows === 0 || filled.length <= headerRows || widest < 2) {
    const lines = filled
      .filter((row) => row.some((cell) => cell !== ""))
      .map((row) => joinCells(row.map(oneLine)));
    return lines.length === 0 ? [] : [lines.join("\n")];
  }
  const header = Array.from({ length: widest }, (_, i) =>
    [...new Set(filled.slice(0, headerRows).map((row) => oneLine(row[i] ?? "")))]
      .filter((cell) => cell !== "")
      .join(" "),
  );
  const labels = new ColumnLabels();
  return filled
    .slice(headerRows)
    .map((row) => writeRow(header, row, labels))
    .filter((paragraph) => paragraph !== "");
}
