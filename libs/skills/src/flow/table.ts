import { Readable } from "node:stream";
import type { FlowTransform } from "@carrel/contracts";
import { CsvError, parse } from "csv-parse";
import { blockFault } from "./block-flow.ts";
import { showValue } from "./substitute.ts";

/* Lists of rows, as texts. */

type Row = Record<string, unknown>;
/** Gives way to other work, and throws if what is made gets too large. */
export type MapInTurns = <Item, Made>(
  items: Iterable<Item> | AsyncIterable<Item>,
  make: (item: Item) => Made,
) => Promise<Made[]>;
type Delimiter = Extract<FlowTransform, { kind: "csv" }>["delimiter"];

const mostColumns = 500;
/** Bytes that are parsed at once. */
const pieceBytes = 1_000;

/** Rows named by the first line; each has the cells that its line has. */
export async function readCsv(
  title: string,
  text: string,
  delimiter: Delimiter,
  map: MapInTurns,
): Promise<Row[]> {
  const parser = parse({
    bom: true,
    // Not `columns`, which copies all names for each row that is too short.
    delimiter: delimiter === "auto" ? mostFrequent(text) : delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  try {
    const lines: AsyncIterable<string[]> = Readable.from(piecesOf(text)).pipe(parser);
    const [names = [], ...rows] = await map(lines, (cells) => cells);
    checkColumns(title, names);
    return await map(rows, (cells) =>
      Object.fromEntries(cells.slice(0, names.length).map((cell, at) => [names[at]!, cell])),
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw blockFault(title, `This isn't CSV: ${error.message}.`, error);
  }
}

function* piecesOf(text: string): Iterable<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** The delimiter that the first line has most of. */
function mostFrequent(text: string): string {
  const [line = ""] = text.trimStart().split("\n", 1);
  const counts = [",", ";", "\t"].map((each) => ({ each, count: line.split(each).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).each;
}

function checkColumns(title: string, names: readonly string[]): void {
  if (names.length > mostColumns)
    throw blockFault(title, `A table can have at most ${mostColumns} columns.`);
}

export async function writeCsv(
  title: string,
  list: readonly unknown[],
  map: MapInTurns,
): Promise<string> {
  const { names, rows } = readRows(title, list);
  const lines = await map(rows, (row) => csvLine(names.map((name) => cellOf(row, name))));
  return [csvLine(names), ...lines].join("\r\n");
}

export async function writeMarkdown(
  title: string,
  list: readonly unknown[],
  map: MapInTurns,
): Promise<string> {
  const { names, rows } = readRows(title, list);
  const lines = await map(rows, (row) => markdownLine(names.map((name) => cellOf(row, name))));
  return [markdownLine(names), `|${" --- |".repeat(names.length)}`, ...lines].join("\n");
}

/** With the names of all their cells. */
function readRows(title: string, list: readonly unknown[]): { names: string[]; rows: Row[] } {
  const rows = list.map((row): Row =>
    typeof row === "object" && row !== null ? (row as Row) : { value: row },
  );
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  checkColumns(title, names);
  return { names, rows };
}

/** A row may lack a name that others have, such as `constructor`. */
const cellOf = (row: Row, name: string): string =>
  Object.hasOwn(row, name) ? showValue(row[name] ?? "") : "";

const csvLine = (cells: readonly string[]): string => cells.map(csvCell).join(",");
const csvCell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const markdownLine = (cells: readonly string[]): string =>
  `| ${cells.map(markdownCell).join(" | ")} |`;
const markdownCell = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .split("\n")
    .map((line, _at, lines) => (lines.length > 1 ? line.trim() : line))
    .filter((line, _at, lines) => line !== "" || lines.length === 1)
    .join(" ");
