import type { Sheet } from "../worker/conversion.ts";
import { alignPassage } from "./align-passage.ts";
import type { Passage } from "./passage.ts";
import type { Range } from "./range.ts";

/** Rows to mark, by their index. */
export interface MarkedRows {
  /** Rows with cited cells. */
  quoted: Set<number>;
  /** Other rows of the passage. */
  passage: Set<number>;
}

/** Maximum cells searched around the passage; most sheets have fewer. */
const mostCells = 150_000;

/** The rows to search for the passage. */
function nearRows(rows: readonly string[][], position: number): Range {
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  if (cells <= mostCells) return { start: 0, end: rows.length };
  const share = mostCells / cells;
  const start = Math.floor(Math.min(1 - share, Math.max(0, position - share / 2)) * rows.length);
  return { start, end: Math.min(rows.length, start + Math.ceil(share * rows.length)) };
}

/** The text of rows, one line per cell, and the row that each line is from. */
export function textOfRows(
  rows: readonly string[][],
  { start, end }: Range,
): { text: string; starts: { at: number; row: number }[] } {
  const starts: { at: number; row: number }[] = [];
  let text = "";
  for (const [index, cells] of rows.slice(start, end).entries())
    for (const cell of cells) {
      if (cell === "") continue;
      starts.push({ at: text.length, row: start + index });
      text += `${cell.replace(/\s+/g, " ")}\n`;
    }
  return { text, starts };
}

/** The rows of a sheet that a passage was made from; null if it isn't from this sheet. */
export function findRows({ rows }: Sheet, passage: Passage): MarkedRows | null {
  const near = nearRows(rows, passage.position);
  const { text, starts } = textOfRows(rows, near);
  const alignment = alignPassage(
    text,
    passage.text,
    (passage.position * rows.length - near.start) / Math.max(1, near.end - near.start),
  );
  if (!alignment) return null;
  const rowsOf = (start: number, end: number): Set<number> => {
    const found = new Set<number>();
    let cell = 0;
    for (const range of alignment.rangesOf(start, end)) {
      while (cell + 1 < starts.length && starts[cell + 1]!.at <= range.start) cell += 1;
      found.add(starts[cell]!.row);
    }
    return found;
  };
  const all = rowsOf(0, passage.text.length);
  const quoted = new Set(passage.quotes.flatMap(({ start, end }) => [...rowsOf(start, end)]));
  if (all.size === 0) return null;
  return quoted.size === 0
    ? { quoted: all, passage: new Set() }
    : { quoted, passage: new Set([...all].filter((row) => !quoted.has(row))) };
}
