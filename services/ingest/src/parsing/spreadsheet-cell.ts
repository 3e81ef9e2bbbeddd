import { SSF } from "@e965/xlsx";

/** The fields used from SheetJS's cells. */
export interface SpreadsheetCell {
  /** n number, s text, b boolean, e error, z empty. */
  t?: string;
  v?: unknown;
  /** The text that a spreadsheet program shows. */
  w?: string;
  /** The number format. */
  z?: string | number;
  l?: { Target?: string };
  /** Comments: author, text, and whether they are a thread. */
  c?: { a?: string; t?: string; T?: boolean }[];
}

/** How dates in a number format are written; null for a format of other numbers. */
interface DateFormat {
  /** Shown as is, because nobody can misread it: "14:30", "30:15:00", "March 2024", "4-Mar". */
  isClear: boolean;
  hasDay: boolean;
  hasMonth: boolean;
  hasTime: boolean;
  hasSeconds: boolean;
}

const dateFormats = new Map<string, DateFormat | null>();

/** Literals, padding, colours, conditions and locales, without elapsed time such as [h]. */
const notCodes = /"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi;
const general = /^general$/i;

function analyseFormat(format: string): DateFormat | null {
  if (format === "@" || general.test(format)) return null;
  const section = format
    .replace(notCodes, " ")
    .split(";", 1)[0]!
    .toLowerCase()
    .replace(/am\/pm|a\/p|general/g, "")
    .replace(/s\.0+/g, "s");
  if (/\[[hms]+\]/.test(section))
    return { isClear: true, hasDay: false, hasMonth: false, hasTime: true, hasSeconds: true };
  const codes = section.match(/y+|m+|d+|h+|s+|b+|e(?![-+])/g);
  if (codes === null || /[#?0]/.test(section)) return null;
  const isMinutes = (code: string, i: number): boolean =>
    code[0] === "m" && code.length < 3 && (codes[i - 1]?.[0] === "h" || codes[i + 1]?.[0] === "s");
  const year = codes.find((code) => /[ybe]/.test(code[0]!));
  const month = codes.find((code, i) => code[0] === "m" && !isMinutes(code, i));
  const day = codes.find((code) => code[0] === "d" && code.length < 3);
  const isNamed = month !== undefined && month.length > 2;
  const isLongYear = year === undefined || year[0] === "e" || year.length > 2;
  const isWhole = year !== undefined && month !== undefined && day !== undefined;
  return {
    isClear: !isWhole && isLongYear && (month === undefined || isNamed),
    // A day and a month in numbers need their year to tell which is which.
    hasDay: day !== undefined,
    hasMonth: month !== undefined,
    hasTime: codes.some((code) => code[0] === "h"),
    hasSeconds: codes.some((code) => code[0] === "s"),
  };
}

function dateFormatOf(format: string): DateFormat | null {
  let known = dateFormats.get(format);
  if (known === undefined) {
    // A workbook has at most some thousand formats, but the thread reads many workbooks.
    if (dateFormats.size >= 5_000) dateFormats.clear();
    known = analyseFormat(format);
    dateFormats.set(format, known);
  }
  return known;
}

const pad = (value: number, digits = 2): string => String(value).padStart(digits, "0");

/** A date in ISO 8601 as far as the format shows it; null if it isn't a date. */
function isoDate(value: number, format: DateFormat, date1904: boolean): string | null {
  const date = SSF.parse_date_code(value, { date1904 }) as ReturnType<
    typeof SSF.parse_date_code
  > | null;
  if (date === null) return null;
  const time = `${pad(date.H)}:${pad(date.M)}${format.hasSeconds ? `:${pad(date.S)}` : ""}`;
  // Below 1, there is only a time.
  if (date.d === 0) return format.hasTime ? time : null;
  const month = format.hasMonth ? `-${pad(date.m)}` : "";
  const day = format.hasDay ? `-${pad(date.d)}` : "";
  return `${pad(date.y, 4)}${month}${day}${format.hasTime ? ` ${time}` : ""}`;
}

/** All digits, without an exponent where that is readable. Spreadsheets keep 15 digits. */
export function plainNumber(value: number): string {
  const text = String(Number(value.toPrecision(15)));
  const [, , decimals = "", exponent] = /^(-?\d)(?:\.(\d+))?e([-+]\d+)$/.exec(text) ?? [];
  const shift = Number(exponent ?? 0);
  return shift < 0 && shift > -20 ? value.toFixed(decimals.length - shift) : text;
}

const scientific = /-?\d+(?:\.\d+)?E[-+]?\d+/;

function numberText({ v, w, z }: SpreadsheetCell, date1904: boolean): string {
  const value = v as number;
  // SheetJS doesn't name the format of the first cell with a date format of East Asian Excels.
  const format = String(z ?? (/^\d{1,2}\/\d{1,2}\/\d\d$/.test(w ?? "") ? "m/d/yy" : "General"));
  const date = dateFormatOf(format);
  if (date && !date.isClear) return isoDate(value, date, date1904) ?? w ?? plainNumber(value);
  if (w === undefined) return plainNumber(value);
  // "General" shows at most eleven digits: barcodes and account numbers would lose theirs.
  return scientific.test(w) && !/E[-+]/i.test(format)
    ? w.replace(scientific, plainNumber(value))
    : w;
}

/**
 * Adds the link's address, unless the text already is the address or it leads to a place in the
 * file.
 */
export function addTarget(text: string, target: string | undefined): string {
  if (target === undefined || !/^(?:https?|ftp|mailto|tel):/i.test(target)) return text;
  const address = target.replace(/^(?:mailto|tel):/i, "");
  const bare = address.replace(/^https?:\/\/(?:www\.)?|\/$/gi, "");
  return text.includes(bare) ? text : `${text} (${address})`.trim();
}

/** The cell's text as shown, with unambiguous dates, all digits, and the target of its link. */
export function spreadsheetCellText(cell: SpreadsheetCell, date1904: boolean): string {
  if (cell.t === undefined || cell.t === "z") return "";
  if (cell.t === "n" && typeof cell.v === "number") return numberText(cell, date1904).trim();
  const text = (cell.w ?? (cell.t === "e" ? "" : String(cell.v ?? ""))).trim();
  return cell.l ? addTarget(text, cell.l.Target) : text;
}
