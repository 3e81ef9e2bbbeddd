import { clipText } from "@carrel/contracts";
import { z } from "zod";
import { ToolError } from "../tool.ts";
import { chartTypes, type Chart, type ChartType } from "./chart-theme.ts";

const mostRows = 1_000;
const mostSeries = 20;
/** With those that aren't shown; reading more would take too long. */
const mostValues = 2 * mostRows * (mostSeries + 1);
const longestTitle = 300;
const longestLabel = 200;

/** The chart as models are asked to give it. */
const strictChart = z.object({
  type: z
    .enum(chartTypes)
    .describe(
      "area, line: developments; bar: comparisons; composed: the first series as bars and the others as lines; scatter: give x and one or more y fields; pie, treemap: parts of a whole; radar: several properties; radialBar: few values; funnel: stages in order",
    ),
  title: z.string().max(longestTitle),
  caption: z.string().max(1_000).optional().describe("A sentence below the chart: unit, source"),
  rows: z
    .array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])))
    .min(1, "A chart needs at least one row of data.")
    .max(mostRows, `A chart can have at most ${mostRows} rows. Add them up, or leave some out.`)
    .describe(
      'Each row has a "name" for its label; every other field is a series with a number: {"name":"May","Revenue":12,"Costs":7}',
    ),
});
export type ChartInput = z.infer<typeof strictChart>;

/** Accepts what models give instead: JSON in strings, numbers as text, other names of fields and types. */
export const chartInput = z.preprocess(tidy, strictChart);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const typeNames: Record<string, ChartType> = {
  ...Object.fromEntries(chartTypes.map((type) => [type.toLowerCase(), type])),
  column: "bar",
  histogram: "bar",
  donut: "pie",
  doughnut: "pie",
  ring: "pie",
  spider: "radar",
  radial: "radialBar",
  gauge: "radialBar",
  combo: "composed",
  combined: "composed",
  mixed: "composed",
  bubble: "scatter",
  points: "scatter",
};

function tidyType(type: unknown): unknown {
  if (typeof type !== "string") return type;
  const plain = type
    .toLowerCase()
    .replace(/[\s_-]+/g, "")
    .replace(/(?:chart|graph|plot|diagram)$/, "");
  return Object.hasOwn(typeNames, plain) ? typeNames[plain] : type;
}

function parseJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, ""));
  } catch {
    return value;
  }
}

function tidy(input: unknown): unknown {
  const given = parseJson(input);
  if (!isRecord(given)) return given;
  const {
    type,
    chart,
    chartType,
    chart_type: snakeType,
    rows,
    dataset,
    data,
    title,
    caption,
  } = given;
  const found = parseJson(rows ?? dataset ?? data);
  // Some give everything else within the data.
  const inner = isRecord(found) && Array.isArray(found.rows ?? found.data) ? found : null;
  return {
    type: tidyType(type ?? chartType ?? snakeType ?? chart ?? inner?.type),
    title: asText(title ?? inner?.title) ?? "",
    ...(asText(caption) === undefined ? {} : { caption: asText(caption) }),
    rows: tidyRows(inner === null ? found : (inner.rows ?? inner.data)),
  };
}

const asText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;

function tidyRows(rows: unknown): unknown {
  // {"May": 12, "June": 9} and {"name": ["May", "June"], "Revenue": [12, 9]}
  if (isRecord(rows)) {
    const columns = Object.entries(rows);
    const isByColumn = columns.length > 0 && columns.every(([, column]) => Array.isArray(column));
    if (!isByColumn) return tidyRows(columns.map(([name, value]) => ({ name, value })));
    const length = Math.max(...columns.map(([, column]) => (column as unknown[]).length));
    return tidyRows(
      Array.from({ length: Math.min(length, mostRows + 1) }, (_, row) =>
        Object.fromEntries(
          columns.map(([name, column]) => [name, (column as unknown[])[row] ?? null]),
        ),
      ),
    );
  }
  if (!Array.isArray(rows) || rows.length > mostRows) return rows;
  const [first] = rows as unknown[];
  // A table with a header, or pairs.
  if (Array.isArray(first) && rows.every((row) => Array.isArray(row))) {
    const table = rows as unknown[][];
    const hasHeader = first.every((cell) => typeof cell === "string" && toNumber(cell) === null);
    const header = hasHeader
      ? first.map(String)
      : first.map((_, index) =>
          index === 0 ? "name" : first.length === 2 ? "value" : `value ${index}`,
        );
    return tidyRows(
      table
        .slice(hasHeader ? 1 : 0)
        .map((row) =>
          Object.fromEntries(
            header.map((name, index) => [index === 0 ? "name" : name, row[index] ?? null]),
          ),
        ),
    );
  }
  if (rows.every((row) => typeof row === "number"))
    return rows.map((value, index) => ({ name: String(index + 1), value: value as number }));
  if (!rows.every(isRecord)) return rows;
  const nameField = findNameField(rows);
  let values = 0;
  return rows.map((row, index) => {
    const tidied = tidyRow(row, nameField, index);
    values += Object.keys(tidied).length;
    if (values > mostValues)
      throw new ToolError(`A chart can have at most ${mostSeries} series. Leave some out.`);
    return tidied;
  });
}

const nameFields = ["name", "label", "category", "x-axis", "xaxis", "key", "date", "month", "year"];

/** The field with the rows' labels: the usual names, else the first with text that isn't a number. */
function findNameField(rows: Record<string, unknown>[]): string | null {
  const fields = Object.keys(rows[0] ?? {});
  for (const wanted of nameFields) {
    const field = fields.find((each) => each.toLowerCase() === wanted);
    if (field !== undefined) return field;
  }
  return (
    fields.find((field) =>
      rows.every((row) => typeof row[field] === "string" && toNumber(row[field]) === null),
    ) ?? null
  );
}

function tidyRow(
  row: Record<string, unknown>,
  nameField: string | null,
  index: number,
): Record<string, unknown> {
  const name = nameField === null ? null : row[nameField];
  const cells: [string, unknown][] = [
    [
      "name",
      typeof name === "string" || typeof name === "number" ? String(name) : String(index + 1),
    ],
  ];
  for (const [field, value] of Object.entries(row)) {
    if (field === nameField || field === "name" || field === "__proto__") continue;
    if (isRecord(value)) {
      // {"name": "May", "values": {"Revenue": 12}}
      for (const [inner, each] of Object.entries(value)) cells.push([inner, tidyValue(each)]);
    } else cells.push([field, tidyValue(value)]);
  }
  return Object.fromEntries(cells);
}

const tidyValue = (value: unknown): unknown =>
  value === undefined || (typeof value === "number" && !Number.isFinite(value))
    ? null
    : typeof value === "boolean"
      ? Number(value)
      : typeof value === "string"
        ? (toNumber(value) ?? value)
        : value;

/**
 * The number that the text says: "1,200", "12.5 %", "€ 3.4", "-2e3"; null if it is anything else, such
 * as a date. A comma separates thousands where three digits follow each, otherwise decimals.
 */
function toNumber(value: unknown): number | null {
  if (typeof value !== "string" || value.length > 40) return null;
  const plain = value
    .trim()
    .replace(/^[$€£¥]\s?|\s?[%$€£¥]$/g, "")
    .replace(/^−/, "-");
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(plain)) return finite(plain);
  if (/^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain)) return finite(plain.replaceAll(",", ""));
  if (/^[-+]?\d+,\d+$/.test(plain)) return finite(plain.replace(",", "."));
  return null;
}
const finite = (text: string): number | null =>
  Number.isFinite(Number(text)) ? Number(text) : null;

const clip = (text: string, most: number): string =>
  clipText(text.toWellFormed().replace(/\s+/g, " ").trim(), most);

/** The types that show one series only, as shares or lengths, which can't be negative. */
const wholes = new Set<ChartType>(["pie", "treemap", "funnel", "radialBar"]);

/** The chart to show; ToolError if there is nothing in the rows that this type could show. */
export function readChart({ type, title, caption, rows }: ChartInput): Chart {
  const series = new Set<string>();
  for (const row of rows)
    for (const [field, value] of Object.entries(row))
      if (field !== "name" && typeof value === "number") series.add(field);
  if (series.size === 0)
    throw new ToolError(
      'There are no numbers in the rows. Each row needs a "name" and at least one field with a number.',
    );
  if (series.size > mostSeries)
    throw new ToolError(`The chart has ${series.size} series; at most ${mostSeries} can be shown.`);
  if (type === "scatter" && series.size === 1 && series.has("x"))
    throw new ToolError('A scatter chart needs a number besides "x" in its rows, such as "y".');
  if (wholes.has(type)) {
    const [only] = series;
    const values = rows.map((row) => row[only!]).filter((value) => typeof value === "number");
    if (values.some((value) => value < 0))
      throw new ToolError(`A ${type} chart can't show negative values. Use a bar chart.`);
    if (!values.some((value) => value > 0))
      throw new ToolError(`A ${type} chart needs a value above zero. Use a bar chart.`);
  }
  return {
    type: "chart",
    chart: type,
    title: clip(title, longestTitle),
    ...(caption === undefined || caption.trim() === "" ? {} : { caption: clip(caption, 1_000) }),
    // Only what is shown, so that clients which draw every field draw the same.
    rows: rows.map((row) =>
      Object.fromEntries([
        ["name", clip(String(row.name ?? ""), longestLabel)],
        ...[...series].map((field) => [
          clip(field, longestLabel),
          typeof row[field] === "number" ? row[field] : null,
        ]),
      ]),
    ),
  };
}
