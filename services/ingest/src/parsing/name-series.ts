import { cellKind, isYear } from "./cell-kind.ts";
import { mostly, type ColumnCells } from "./column-cells.ts";
import type { SheetRow } from "./sheet-row.ts";

/*
 * Numbers name columns too: years, days, sizes. What they look like alone, and beside the rows below.
 */

/** Years, dates, and numbers that count up by one: "2021 | 2022", "1 | 2 | 3". */
export function isSeries(values: readonly string[], texts: number): boolean {
  if (new Set(values).size < values.length || new Set(values.map(cellKind)).size > 1) return false;
  // One among texts may as well be the value of a label.
  if (cellKind(values[0]!) === "date" || values.every(isYear))
    return values.length > 1 || texts > 1;
  return values.length > 2 && values.every((value, i) => Number(value) === Number(values[0]) + i);
}

const plainNumber = /^\d+(?:[.,]\d+)?(?=\s?%?$)/;
const isShare = (text: string): boolean => /^[\d.,]+\s?%$/.test(text);
const amount = (text: string): number =>
  Number(plainNumber.exec(text)?.[0].replace(",", ".") ?? Number.NaN);

/** Whether the numbers in some columns grow from each to the next: sizes, thresholds. */
function rises({ cells }: SheetRow, columns: readonly number[]): boolean {
  const numbers = columns.map((column) => amount(cells.get(column) ?? ""));
  return numbers.every((number, i) => !Number.isNaN(number) && !(number <= numbers[i - 1]!));
}

/**
 * Whether a row with numbers names the columns, as seen from the rows below: its texts stand over
 * numbers, or its numbers rise, which those below don't.
 */
export function namesBeside(
  row: SheetRow,
  below: readonly SheetRow[],
  columns: ReadonlyMap<number, ColumnCells>,
): boolean {
  const cells = [...row.cells];
  const numbers = cells.filter(([, value]) => cellKind(value) === "number");
  const texts = cells.filter(([, value]) => cellKind(value) === "text");
  if (texts.length === 0 || texts.length + numbers.length < cells.length) return false;
  if (texts.every(([column]) => (columns.get(column)?.share("number", "date") ?? 0) >= mostly))
    return true;
  const at = numbers.map(([column]) => column);
  if (!rises(row, at)) return false;
  if (numbers.every(([, value]) => isShare(value)))
    return (
      numbers.length > 1 && !below.some((one) => at.some((n) => isShare(one.cells.get(n) ?? "")))
    );
  return numbers.length > 2 && below.filter((one) => rises(one, at)).length * 2 <= below.length;
}

const stemOf = (text: string): string => text.replace(/\d+$/, "").trim();

/** Columns named by one word that is numbered, which no cell below starts with: "Seat1 | Seat2". */
export function numberedNames(row: SheetRow, below: readonly SheetRow[]): ReadonlySet<number> {
  const codes = [...row.cells].filter(([, value]) => cellKind(value) === "code");
  const stem = stemOf(codes[0]?.[1] ?? "");
  const numbers = codes.map(([, value]) => Number(value.slice(stem.length)));
  const isNumbered =
    codes.length > 1 &&
    /\p{L}$/u.test(stem) &&
    codes.every(([, value], i) => stemOf(value) === stem && numbers[i] === numbers[0]! + i) &&
    !below.some(({ cells }) => codes.some(([column]) => stemOf(cells.get(column) ?? "") === stem));
  return new Set(isNumbered ? codes.map(([column]) => column) : []);
}
