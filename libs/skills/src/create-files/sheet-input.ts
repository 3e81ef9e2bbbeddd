import { clipText } from "@carrel/contracts";
import { z } from "zod";
import { ToolError } from "../tool.ts";
import { cleanText } from "./file-name.ts";
import { checkFormula } from "./formula.ts";

const mostSheets = 50;
const mostColumns = 500;
const mostRows = 100_000;
const mostCells = 100_000;
/** Excel's own limit, in characters. */
const longestCell = 32_767;

const columnTypes = [
  "text",
  "number",
  "integer",
  "percent",
  "currency",
  "date",
  "datetime",
  "boolean",
] as const;
export type ColumnType = (typeof columnTypes)[number];

const cell = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.object({ formula: z.string().describe('Such as "=SUM(B2:B9)"; the header is row 1') }),
]);
const strictSheets = z
  .array(
    z.object({
      name: z.string(),
      columns: z
        .array(
          z.object({
            name: z.string(),
            type: z.enum(columnTypes).optional().describe("Default: what the values are"),
            width: z.number().optional().describe("In characters. Default: what the values need"),
          }),
        )
        .min(1)
        .max(mostColumns),
      rows: z
        .array(z.array(cell))
        .max(mostRows, `A sheet can have at most ${mostRows.toLocaleString("en")} rows.`)
        .describe(
          'Values in the order of the columns. Text is never a formula, even if it starts with "="; write formulas as {"formula":"=B2*C2"}. Dates: "2026-05-31"',
        ),
    }),
  )
  .min(1, "A workbook needs at least one sheet.")
  .max(mostSheets, `A workbook can have at most ${mostSheets} sheets.`);
export type SheetInput = z.infer<typeof strictSheets>[number];

/** Accepts rows as objects, columns as plain names, one sheet without a list, and JSON as text. */
export const sheetsInput = z.preprocess(tidySheets, strictSheets);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function parseJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function tidySheets(given: unknown): unknown {
  const sheets = parseJson(given);
  if (isRecord(sheets)) return [tidySheet(sheets)];
  return Array.isArray(sheets) ? sheets.map(tidySheet) : sheets;
}

function tidySheet(sheet: unknown, index = 0): unknown {
  if (!isRecord(sheet)) return sheet;
  const rows = parseJson(sheet.rows ?? sheet.data ?? []);
  const given = parseJson(sheet.columns ?? sheet.headers ?? sheet.header);
  let columns = Array.isArray(given) ? given.map(tidyColumn) : null;
  let list: unknown = rows;
  if (Array.isArray(rows) && rows.length > 0 && rows.every(isRecord) && rows.length <= mostRows) {
    const fields = new Set(rows.flatMap((row) => Object.keys(row)));
    columns ??= [...fields].map((name) => ({ name }));
    const keys = columns.map((column) => (isRecord(column) ? (column.key ?? column.name) : column));
    list = rows.map((row) =>
      keys.map((key) =>
        typeof key === "string" && Object.hasOwn(row, key) ? tidyCell(row[key]) : null,
      ),
    );
  } else if (Array.isArray(rows)) {
    const [first, ...others] = rows as unknown[];
    if (columns === null && Array.isArray(first)) {
      columns = first.map((name) => ({ name: String(name) }));
      list = others;
    }
    list = (list as unknown[]).map((row) => (Array.isArray(row) ? row.map(tidyCell) : row));
  }
  return {
    name: typeof sheet.name === "string" ? sheet.name : `Sheet ${index + 1}`,
    columns,
    rows: list,
  };
}

const tidyColumn = (column: unknown): unknown =>
  typeof column === "string" || typeof column === "number"
    ? { name: String(column) }
    : isRecord(column)
      ? {
          ...column,
          name: column.name ?? column.header ?? column.title ?? column.key,
          type: typeof column.type === "string" ? tidyType(column.type) : undefined,
          width:
            typeof column.width === "string" ? Number(column.width) || undefined : column.width,
        }
      : column;

const typeNames: Record<string, ColumnType> = {
  string: "text",
  float: "number",
  decimal: "number",
  int: "integer",
  money: "currency",
  percentage: "percent",
  bool: "boolean",
  time: "datetime",
  timestamp: "datetime",
};
const tidyType = (type: string): string | undefined => {
  const plain = type.toLowerCase();
  if ((columnTypes as readonly string[]).includes(plain)) return plain;
  return Object.hasOwn(typeNames, plain) ? typeNames[plain] : undefined;
};

const tidyCell = (value: unknown): unknown =>
  value === undefined || (typeof value === "number" && !Number.isFinite(value))
    ? null
    : isRecord(value) && typeof value.formula !== "string"
      ? JSON.stringify(value)
      : Array.isArray(value)
        ? value.join(", ")
        : value;

export type SheetValue =
  | { kind: "text"; text: string }
  | { kind: "number"; number: number }
  | { kind: "date"; date: Date; hasTime: boolean }
  | { kind: "boolean"; boolean: boolean }
  | { kind: "formula"; formula: string }
  | null;
export interface ReadSheet {
  name: string;
  columns: { name: string; type: ColumnType; width: number }[];
  rows: SheetValue[][];
}

/** Reads sheets with typed values; ToolError if there is too much, or a formula isn't allowed. */
export function readSheets(sheets: readonly SheetInput[]): ReadSheet[] {
  const cells = sheets.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0);
  if (cells > mostCells)
    throw new ToolError(
      `The workbook would have ${cells.toLocaleString("en")} cells; at most ${mostCells.toLocaleString("en")} can be written.`,
    );
  const names = new Set<string>();
  return sheets.map((sheet) => {
    const name = sheetName(sheet.name, names);
    const [longer] = sheet.rows.filter((row) => row.length > sheet.columns.length);
    if (longer !== undefined)
      throw new ToolError(
        `A row of the sheet "${name}" has ${longer.length} values, but there are ${sheet.columns.length} columns.`,
      );
    const columns = sheet.columns.map((column, index) => ({
      name: clip(column.name),
      type: column.type ?? guessType(sheet.rows, index),
      width: column.width ?? 0,
    }));
    const rows = sheet.rows.map((row, at) =>
      columns.map(({ type }, index) =>
        readValue(row[index] ?? null, type, `${columnLetters(index)}${at + 2} of "${name}"`),
      ),
    );
    return {
      name,
      columns: columns.map((column, index) => ({
        ...column,
        width:
          column.width > 0
            ? Math.min(120, Math.max(4, column.width))
            : neededWidth(column.name, rows, index),
      })),
      rows,
    };
  });
}

const clip = (text: string): string => clipText(cleanText(text), longestCell);

/** A name that Excel accepts, and that no other sheet has. */
function sheetName(name: string, taken: Set<string>): string {
  const plain = cleanText(name)
    .replace(/[[\]:*?/\\\n\t"]+/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s']+|[\s']+$/g, "");
  // Excel keeps "History" for itself.
  const base = plain === "" ? "Sheet" : plain.toLowerCase() === "history" ? "History sheet" : plain;
  let made = clipText(base, 31).trim();
  for (let count = 2; taken.has(made.toLowerCase()); count += 1)
    made = `${clipText(base, 26).trim()} ${count}`;
  taken.add(made.toLowerCase());
  return made;
}

/** "A", "Z", "AA". */
function columnLetters(index: number): string {
  let letters = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** A number as models write it in text; not "007", phone numbers or more digits than Excel keeps. */
const isNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/.test(text) && text.replace(/\D/g, "").length <= 15;
const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|\+00:00)?)?$/;

function guessType(rows: SheetInput["rows"], index: number): ColumnType {
  const values = rows
    .map((row) => row[index])
    .filter(
      (value) => value !== null && value !== undefined && value !== "" && typeof value !== "object",
    );
  if (values.length === 0) return "text";
  if (values.every((value) => typeof value === "boolean")) return "boolean";
  if (
    values.every(
      (value) => typeof value === "number" || (typeof value === "string" && isNumber(value)),
    )
  )
    return "number";
  const dates = values.map((value) => (typeof value === "string" ? readDate(value) : null));
  if (dates.every((date) => date !== null))
    return dates.some((date) => date?.hasTime === true) ? "datetime" : "date";
  return "text";
}

/** The date that the text says, in UTC, as Excel has no time zones; null if there is no such day. */
function readDate(text: string): { date: Date; hasTime: boolean } | null {
  const match = isoDate.exec(text.trim());
  if (match === null) return null;
  const [year, month, day, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year!, month! - 1, day, hour, minute, second));
  // Excel counts days from 1900 on.
  const isReal =
    year! >= 1900 &&
    date.getUTCMonth() === month! - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60;
  return isReal ? { date, hasTime: match[4] !== undefined } : null;
}

function readValue(value: z.infer<typeof cell>, type: ColumnType, at: string): SheetValue {
  if (value === null || value === "") return null;
  if (typeof value === "object")
    return { kind: "formula", formula: checkFormula(value.formula, at) };
  if (typeof value === "boolean") return { kind: "boolean", boolean: value };
  if (typeof value === "number") return { kind: "number", number: value };
  const text = value.trim();
  if (type === "date" || type === "datetime") {
    const date = readDate(text);
    if (date !== null) return { kind: "date", ...date };
  } else if (type === "boolean" && /^(?:true|false)$/i.test(text))
    return { kind: "boolean", boolean: text.toLowerCase() === "true" };
  else if (type !== "text") {
    const plain = text.replace(/^[$€£¥]\s?|\s?[$€£¥]$/g, "").replace(/(?<=\d),(?=\d{3}\b)/g, "");
    const isPercent = type === "percent" && /%$/.test(plain);
    const number = isPercent ? plain.replace(/\s?%$/, "") : plain;
    if (isNumber(number)) return { kind: "number", number: Number(number) / (isPercent ? 100 : 1) };
  }
  if (value.length > longestCell)
    throw new ToolError(
      `The text in ${at} is longer than ${longestCell.toLocaleString("en")} characters.`,
    );
  return { kind: "text", text: cleanText(value) };
}

function neededWidth(header: string, rows: readonly SheetValue[][], index: number): number {
  let longest = header.length + 2;
  for (const row of rows.slice(0, 1_000)) {
    const value = row[index] ?? null;
    const length =
      value?.kind === "text"
        ? Math.max(...value.text.split("\n").map((line) => line.length))
        : value?.kind === "date"
          ? value.hasTime
            ? 17
            : 11
          : value?.kind === "number"
            ? Math.min(20, String(value.number).length + 3)
            : 8;
    longest = Math.max(longest, length + 1);
  }
  return Math.min(60, Math.max(8, longest));
}
