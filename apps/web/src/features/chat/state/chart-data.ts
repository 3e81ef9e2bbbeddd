import type { StepOutput } from "@carrel/contracts";

export type ChartOutput = Extract<StepOutput, { type: "chart" }>;
type Cell = string | number | null;

/** A number, also from text such as "1,200.5" or "61 %"; null if it isn't one. */
export function numberOf(cell: Cell | undefined): number | null {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== "string") return null;
  const text = cell.replace(/[,\s%$€£¥]/g, "");
  return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
}

/** The series of a chart in the order of their appearance: fields with at least one number. */
export function seriesOf({ rows }: Pick<ChartOutput, "rows">): string[] {
  const fields = new Set(rows.flatMap((row) => Object.keys(row)));
  fields.delete("name");
  return [...fields].filter((field) => rows.some((row) => numberOf(row[field]) !== null));
}

export interface ChartRow {
  name: string;
  /** By series, whose names may be anything. */
  values: (number | null)[];
}

export const chartRows = ({ rows }: ChartOutput, series: readonly string[]): ChartRow[] =>
  rows.map((row, index) => ({
    name: String(row.name ?? index + 1),
    values: series.map((field) => numberOf(row[field])),
  }));

/** The parts of a whole, for charts that show one series: of one row, its fields. */
export function partsOf(
  rows: readonly ChartRow[],
  series: readonly string[],
): { name: string; value: number }[] {
  const [row] = rows;
  const parts =
    row && rows.length === 1 && series.length > 1
      ? series.map((name, index) => ({ name, value: row.values[index] ?? 0 }))
      : rows.map(({ name, values }) => ({ name, value: values[0] ?? 0 }));
  // Neither has an area for less.
  return parts.filter(({ value }) => value > 0);
}

/** The chart's figures as a table. */
export const chartTable = (
  chart: ChartOutput,
  nameTitle: string,
): { columns: string[]; rows: Cell[][] } => {
  const fields = [...new Set(chart.rows.flatMap((row) => Object.keys(row)))].filter(
    (field) => field !== "name",
  );
  return {
    columns: [nameTitle, ...fields],
    rows: chart.rows.map((row, index) => [
      row.name ?? String(index + 1),
      ...fields.map((field) => row[field] ?? null),
    ]),
  };
};

/** A spreadsheet would run these as formulas. */
const formula = /^[=+\-@\t\r]/;
const csvCell = (cell: Cell): string => {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = formula.test(cell) && numberOf(cell) === null ? `'${cell}` : cell;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** As CSV (RFC 4180), which no spreadsheet takes for formulas. */
export const toCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n");
