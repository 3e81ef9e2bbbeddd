import type { Sheet } from "../worker/conversion.ts";
import { alignPassage } from "./align-passage.ts";
import type { Passage, Range } from "./passage.ts";

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
function textOfRows(
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
function findRows({ rows }: Sheet, passage: Passage): MarkedRows | null {
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

export interface SheetPlace {
  sheet: number;
  /** null: nothing is marked. */
  rows: MarkedRows | null;
}

/** Maximum rows compared with a passage that may contain the whole sheet. */
const rowsCompared = 200;

/** The rows of a sheet that contain the quotes of a passage across several sheets. */
function findQuoted(sheet: Sheet, passage: Passage): MarkedRows | null {
  const quoted = new Set<number>();
  for (const { start, end } of passage.quotes) {
    const text = passage.text.slice(start, end);
    const rows = findRows(sheet, { text, quotes: [], position: passage.position });
    for (const row of rows?.quoted ?? []) quoted.add(row);
  }
  return quoted.size === 0 ? null : { quoted, passage: new Set() };
}

/**
 * The sheet that a document was made from, by its title, or the one with the passage. A file
 * attached to a chat is one document with all sheets, so its passage may span them: then it is the
 * sheet with a quote, or the first one. null: the passage isn't in the workbook.
 */
export function findSheet(sheets: Sheet[], title: string, passage: Passage): SheetPlace | null {
  const named = sheets.findIndex(({ name }) => title.endsWith(` - Sheet:${name}`));
  if (passage.text.trim() === "") return { sheet: Math.max(0, named), rows: null };
  const others = sheets.map((_, index) => index).filter((index) => index !== named);
  const order = named < 0 ? others : [named, ...others];
  for (const find of [findRows, findQuoted])
    for (const sheet of order) {
      const rows = find(sheets[sheet]!, passage);
      if (rows) return { sheet, rows };
    }
  const within = order.find((sheet) => {
    const { text } = textOfRows(sheets[sheet]!.rows, { start: 0, end: rowsCompared });
    return alignPassage(passage.text, text, 0) !== null;
  });
  return within === undefined ? null : { sheet: within, rows: null };
}
