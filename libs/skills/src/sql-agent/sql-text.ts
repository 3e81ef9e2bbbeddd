import { clipText, type StepOutput } from "@carrel/contracts";
import { sqlLimits, type SqlRows } from "./sql-engine.ts";

type Cell = string | number | null;

const most = { rows: 200, textBytes: 200_000, cell: 500, tableBytes: 1_000_000, tableCell: 2_000 };
const maxColumns = 100;

/** What the model reads, and the table for the person. */
export function describeRows(
  title: string,
  result: SqlRows,
): { text: string; outputs: StepOutput[] } {
  const cells = result.rows.map((row) => row.slice(0, maxColumns).map(toCell));
  const columns = result.columns.slice(0, maxColumns);
  const shown: string[] = [columns.map((each) => quote(clip(each, most.cell))).join(",")];
  let bytes = Buffer.byteLength(shown[0]!);
  for (const row of cells.slice(0, most.rows)) {
    const line = row.map((each) => toCsv(each)).join(",");
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > most.textBytes) break;
    shown.push(line);
  }
  const rows = shown.length - 1;
  const notes = [
    countRows(result),
    ...(rows < result.counted ? [`Only the first ${rows} are listed; the person sees more.`] : []),
    ...(result.columns.length > maxColumns
      ? [`Only ${maxColumns} of ${result.columns.length} columns are listed.`]
      : []),
  ].join(" ");
  const text = rows === 0 ? notes : `${notes}\n\n${shown.join("\n")}`;
  return { text, outputs: rows === 0 ? [] : [toTable(title, columns, cells, result.counted)] };
}

function countRows({ counted, hasMore }: SqlRows): string {
  if (counted === 0) return "The query returned no rows.";
  const number = `${counted} ${counted === 1 ? "row" : "rows"}`;
  return hasMore ? `More than ${number}: counting stopped there.` : `${number} in total.`;
}

function toTable(title: string, columns: string[], cells: Cell[][], total: number): StepOutput {
  const rows: Cell[][] = [];
  let bytes = 0;
  for (const row of cells.slice(0, sqlLimits.keptRows)) {
    const kept = row.map((each) => (typeof each === "string" ? clip(each, most.tableCell) : each));
    bytes += Buffer.byteLength(JSON.stringify(kept));
    if (bytes > most.tableBytes) break;
    rows.push(kept);
  }
  return { type: "table", title: clip(title, 200), columns, rows, total };
}

/** Values as JSON has them; dates as ISO 8601, binary data as its size. */
function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return `<binary, ${value.byteLength} bytes>`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A cut value says how long it is. */
const clip = (text: string, limit: number): string =>
  text.length <= limit
    ? text.toWellFormed()
    : `${clipText(text, limit)}… (${text.length} characters)`;

const toCsv = (cell: Cell): string =>
  cell === null ? "NULL" : typeof cell === "number" ? String(cell) : quote(clip(cell, most.cell));

/** As RFC 4180 has it; a text NULL is told apart from no value. */
const quote = (text: string): string =>
  /[",\n\r]|^\s|\s$|^NULL$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
