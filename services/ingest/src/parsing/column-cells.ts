import { clipText } from "@carrel/contracts/clip-text";
import { countOwn, type SheetRow } from "./sheet-row.ts";

/** What a cell of a table holds, by its text. Codes are words with digits: "Q1", "A-12", "11 m". */
type CellKind = "missing" | "number" | "date" | "link" | "code" | "text";

/** Longer cells are sentences, and not worth a closer look. */
const longest = 60;

const missing = /^(?:[-–—.…?*]+|n\/?a|n\.a\.|nan|none|null|nil|#[A-Z\d/]+[!?]?)$/i;
const date =
  /^(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ]\d{1,2}:\d\d.{0,20})?|\d{1,2}([-/.])\d{1,2}\1\d{2,4}(?: \d{1,2}:\d\d.{0,10})?|\d{1,3}:\d\d(?::\d\d)?(?:\.\d+)?(?: ?[AP]M)?)$/i;
/** "4 March 2024", "Mar 4, 2024", "März 2024", if the word is a month. */
const dateInWords =
  /^(?:(?:\d{1,2}[-. ]{1,2})?(?:de )?(\p{L}{3,10})\.?[- ]{1,2}(?:de )?\d{2,4}|(\p{L}{3,10})\.? \d{1,2},? \d{4})$/u;
/** Letters in amounts are currencies, because "Day 5" is a name. */
const number =
  /^[-+(]?\s?(?:\p{Sc}|(?:EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|INR|BRL)\b)?\s?[-+]?[\d.]\d*(?:[.,'’\s]\d+)*(?:E[-+]?\d+)?\s?(?:%|\p{Sc}|EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|INR|BRL)?[-)]?$/u;
const link = /^(?:https?:\/\/|www\.)\S+$|^[^\s@]+@[^\s@]+\.[^\s@]+$/i;

let months: Set<string> | null = null;

/** Names of months, long and short, in the languages that files most often have. */
function isMonth(word: string): boolean {
  months ??= new Set(
    ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "cs", "tr"].flatMap((language) =>
      (["long", "short"] as const).flatMap((month) =>
        Array.from({ length: 12 }, (_, i) =>
          new Date(2024, i, 1)
            .toLocaleDateString(language, { month })
            .replace(".", "")
            .toLowerCase(),
        ),
      ),
    ),
  );
  return months.has(word.toLowerCase());
}

export function cellKind(text: string): CellKind {
  if (text.length > longest) return "text";
  if (missing.test(text)) return "missing";
  if (!/\d/.test(text)) return text.includes("@") && link.test(text) ? "link" : "text";
  if (date.test(text)) return "date";
  const inWords = dateInWords.exec(text);
  if (inWords && isMonth(inWords[1] ?? inWords[2]!)) return "date";
  if (number.test(text)) return "number";
  return link.test(text) ? "link" : "code";
}

export const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text);

/** Pattern of a cell's letters and digits: "A-12" and "B-7" look alike. */
const shapeOf = (text: string): string =>
  clipText(text, longest)
    .replace(/\d+/g, "9")
    .replace(/\p{L}+/gu, "a");

/** Share of a column's cells that must be of one kind to say something about the column. */
export const mostly = 0.7;

/** Longer cells are sentences; among others of that length, they aren't names. */
const longestName = 120;

/** Among fewer other values, none repeats by chance. */
const fewestOthers = 3;

/** The cells of one column below a row. */
export class ColumnCells {
  private readonly kinds = new Map<CellKind, number>();
  private readonly values = new Map<string, number>();
  private readonly shapes = new Map<string, number>();
  private years = 0;
  private hasSentences = false;
  filled = 0;

  add(value: string): void {
    const kind = cellKind(value);
    this.filled++;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.values.set(value, (this.values.get(value) ?? 0) + 1);
    if (isYear(value)) this.years++;
    if (value.length > longestName) this.hasSentences = true;
    if (kind !== "code") return;
    const shape = shapeOf(value);
    this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + 1);
  }

  /** Share of these kinds among the cells that say something. */
  share(...kinds: CellKind[]): number {
    const known = this.filled - (this.kinds.get("missing") ?? 0);
    const wanted = kinds.reduce((sum, kind) => sum + (this.kinds.get(kind) ?? 0), 0);
    return known === 0 ? 0 : wanted / known;
  }

  /** Share of a value among the cells. */
  shareOf(value: string): number {
    return (this.values.get(value) ?? 0) / Math.max(1, this.filled);
  }

  /**
   * Whether a name is one of the values, in a column where values recur. If all other values
   * differ, an equal one is just as likely to share the column's name.
   */
  private isValue(name: string): boolean {
    const times = this.values.get(name) ?? 0;
    const others = this.filled - times;
    const recurs = this.values.size - 1 < others * 0.9;
    return times > 0 && (times > 1 || others < fewestOthers || recurs);
  }

  /** 1 if a name differs from the column's cells in kind, -1 if it looks like one of them. */
  compare(name: string): number {
    const kind = cellKind(name);
    const isAmounts = this.share("number", "date") >= mostly;
    if (kind === "missing") return 0;
    if (kind === "date") return this.share("date") > 0 ? -1 : Number(isAmounts);
    if (kind === "number" && !isYear(name)) return 0;
    if (kind === "number") return isAmounts ? (this.years * 2 > this.filled ? -1 : 1) : 0;
    if (this.isValue(name) || (name.length > longestName && this.hasSentences)) return -1;
    if (kind !== "code") return Number(this.share("number", "date", "link", "code") >= mostly);
    return (this.shapes.get(shapeOf(name)) ?? 0) * 2 > this.filled ? -1 : Number(isAmounts);
  }
}

/** The cells of each column. */
export function collectColumns(rows: readonly SheetRow[]): Map<number, ColumnCells> {
  const columns = new Map<number, ColumnCells>();
  for (const row of rows)
    for (const [column, value] of row.cells) {
      let cells = columns.get(column);
      if (!cells) columns.set(column, (cells = new ColumnCells()));
      cells.add(value);
    }
  return columns;
}

/** Whether at least half of the cells have a name. */
export function covers(names: ReadonlyMap<number, string>, rows: readonly SheetRow[]): boolean {
  const [firstNamed] = names.keys();
  let cells = 0;
  let named = 0;
  for (const row of rows) {
    if (countOwn(row) < 2) continue;
    const [first] = row.cells.keys();
    if (first! > firstNamed! && !names.has(first!)) return false;
    cells += row.cells.size;
    for (const column of row.cells.keys()) if (names.has(column)) named++;
  }
  return named * 2 >= cells;
}
