import { ToolError } from "../tool.ts";
import type { Span } from "./document-blocks.ts";
import { breakLines, type Line } from "./lay-out-lines.ts";

const mostColumns = 20;

/** A table's columns and its cells' lines, in points. */
export interface TableLayout {
  widths: number[];
  rows: Line[][][];
  padding: number;
}

/** Gives each column what its text needs, and where that is too much, at least its longest word. */
export function layOutTable(
  rows: readonly Span[][][],
  width: number,
  measure: (span: Span) => number,
): TableLayout {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  if (columns > mostColumns)
    throw new ToolError(
      `A table has ${columns} columns, but at most ${mostColumns} fit on a page. Create an Excel file instead.`,
    );
  const padding = columns > 8 ? 3 : 6;
  const room = width - columns * 2 * padding;
  const wanted = Array.from({ length: columns }, () => 1);
  const least = Array.from({ length: columns }, () => 1);
  for (const row of rows)
    for (const [index, spans] of row.entries()) {
      const whole = breakLines(spans, Infinity, measure);
      wanted[index] = Math.max(wanted[index]!, ...whole.map((line) => line.width));
      for (const span of spans)
        for (const word of span.text.split(/\s+/))
          least[index] = Math.max(least[index]!, measure({ ...span, text: word }));
    }
  const widths = share(wanted, least, room);
  return {
    widths: widths.map((each) => each + 2 * padding),
    rows: rows.map((row) =>
      Array.from({ length: columns }, (_, index) =>
        breakLines(row[index] ?? [], widths[index]! + 0.01, measure),
      ),
    ),
    padding,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

function share(wanted: readonly number[], least: readonly number[], room: number): number[] {
  const total = sum(wanted);
  if (total <= room) return wanted.map((each) => each + ((room - total) * each) / total);
  // No word takes more than its fair part and a half of the room.
  const most = (room / wanted.length) * 1.5;
  const floors = least.map((each, index) => Math.min(each, most, wanted[index]!));
  const floor = sum(floors);
  if (floor >= room) return floors.map((each) => (each * room) / floor);
  const extra = wanted.map((each, index) => each - floors[index]!);
  const all = sum(extra);
  return floors.map((each, index) => each + ((room - floor) * extra[index]!) / all);
}
