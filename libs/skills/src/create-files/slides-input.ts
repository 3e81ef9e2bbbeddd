import { z } from "zod";
import { chartInput } from "../create-chart/chart-input.ts";
import { parseJson } from "./sheet-input.ts";

const mostSlides = 100;

const strictSlide = z.object({
  title: z.string().max(500),
  subtitle: z.string().max(1_000).optional().describe("Only for slides that have nothing else"),
  bullets: z
    .array(z.string().max(2_000))
    .max(100)
    .optional()
    .describe(
      'Short points; two spaces before one put it below the previous. "**bold**" and "*italic*" work',
    ),
  table: z
    .object({
      columns: z.array(z.string()).min(1).max(20),
      rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))).max(500),
    })
    .optional(),
  chart: chartInput.optional().describe("Drawn beside the points"),
  notes: z.string().max(20_000).optional().describe("For the speaker"),
});
export type SlideInput = z.infer<typeof strictSlide>;

/** Accepts points as lines of text or as `content`, and tables as rows with a header. */
export const slidesInput = z.preprocess(
  (given) => {
    const slides = parseJson(given);
    return Array.isArray(slides) ? slides.map(tidySlide) : slides;
  },
  z
    .array(strictSlide)
    .min(1, "A presentation needs at least one slide.")
    .max(mostSlides, `A presentation can have at most ${mostSlides} slides.`),
);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function tidySlide(slide: unknown): unknown {
  if (!isRecord(slide)) return slide;
  const { bullets, content, points, table, title, chart, ...rest } = slide;
  const list = bullets ?? points ?? content;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
    title: title ?? "",
    ...(list === undefined || list === null ? {} : { bullets: tidyBullets(list, 0) }),
    ...(table === undefined || table === null ? {} : { table: tidyTable(parseJson(table)) }),
    ...(chart === undefined || chart === null
      ? {}
      : { chart: isRecord(chart) ? { ...chart, title: chart.title ?? "" } : chart }),
  };
}

function tidyBullets(list: unknown, level: number): unknown {
  if (typeof list === "string") return list.split("\n").filter((line) => line.trim() !== "");
  if (!Array.isArray(list) || level > 4) return list;
  return list.flatMap((bullet: unknown): unknown[] => {
    const indent = "  ".repeat(level);
    if (typeof bullet === "string") return [`${indent}${bullet}`];
    if (Array.isArray(bullet)) return tidyBullets(bullet, level + 1) as unknown[];
    if (!isRecord(bullet)) return [bullet];
    const inner = tidyBullets(bullet.bullets ?? bullet.children ?? bullet.items ?? [], level + 1);
    return [
      `${indent}${String(bullet.text ?? bullet.title ?? "")}`,
      ...(Array.isArray(inner) ? inner : []),
    ];
  });
}

function tidyTable(table: unknown): unknown {
  if (Array.isArray(table)) {
    const [first, ...rows] = table as unknown[];
    if (Array.isArray(first)) return { columns: first.map(String), rows };
    if (!table.every(isRecord)) return table;
    const columns = [...new Set(table.flatMap((row) => Object.keys(row)))];
    return { columns, rows: table.map((row) => columns.map((name) => row[name] ?? null)) };
  }
  if (!isRecord(table)) return table;
  return { ...table, columns: table.columns ?? table.headers ?? table.header };
}
