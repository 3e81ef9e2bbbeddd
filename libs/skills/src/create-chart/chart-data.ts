import type { Chart } from "./chart-theme.ts";

/** A chart's rows by series: `values[series][row]`, null where there is none. */
export interface ChartData {
  names: string[];
  series: string[];
  values: (number | null)[][];
}

/** Beyond it, sums and differences of values could be infinite. */
const largest = 1e100;
const asNumber = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value)
    ? Math.min(largest, Math.max(-largest, value))
    : null;

/** Fields that hold a number in some row are the series, in the order in which they first occur. */
export function readChartData(rows: Chart["rows"]): ChartData {
  const series = new Set<string>();
  for (const row of rows)
    for (const [field, value] of Object.entries(row))
      if (field !== "name" && asNumber(value) !== null) series.add(field);
  const fields = [...series];
  return {
    names: rows.map(({ name }) => (name === null || name === undefined ? "" : String(name))),
    series: fields,
    values: fields.map((field) =>
      rows.map((row) => (Object.hasOwn(row, field) ? asNumber(row[field]) : null)),
    ),
  };
}

export interface Slice {
  name: string;
  value: number;
}

/**
 * Rows as parts of a whole, without those that are zero or less. Beyond `most` the smallest are added up.
 */
export function readSlices(data: ChartData, most: number): Slice[] {
  const slices = data.names
    .map((name, row) => ({ name, value: data.values[0]?.[row] ?? 0 }))
    .filter(({ value }) => value > 0);
  if (slices.length <= most) return slices;
  const bySize = slices.toSorted((one, other) => other.value - one.value);
  const kept = new Set(bySize.slice(0, most - 1));
  const rest = bySize.slice(most - 1);
  return [
    ...slices.filter((slice) => kept.has(slice)),
    { name: `Other (${rest.length})`, value: rest.reduce((sum, { value }) => sum + value, 0) },
  ];
}
