import type { Sheet } from "../worker/conversion.ts";
import { alignPassage } from "./align-passage.ts";
import { findRows, textOfRows, type MarkedRows } from "./find-rows.ts";
import type { Passage } from "./passage.ts";

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
