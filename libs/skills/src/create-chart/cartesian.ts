import { scaleLinear, scalePoint } from "d3-scale";
import { area, curveMonotoneX, line } from "d3-shape";
import { drawCategories, drawValueAxis, layOutAxes } from "./axes.ts";
import { drawBars } from "./bars.ts";
import type { ChartData } from "./chart-data.ts";
import type { Box } from "./chart-frame.ts";
import { labelSize } from "./chart-frame.ts";
import { shortNumber, tickFormat } from "./chart-numbers.ts";
import { seriesColor, type ChartTheme } from "./chart-theme.ts";
import type { Shape } from "./scene.ts";

/** Points are marked, and have tips, while there are few. */
const mostPoints = 60;
const mostTips = 400;

const round = (value: number): number => Math.round(value * 100) / 100;

/** Bars are drawn for the first series of a composed chart, lines for the others. */
export function drawCartesian(
  type: "area" | "line" | "composed",
  data: ChartData,
  box: Box,
  theme: ChartTheme,
): Shape[] {
  const isComposed = type === "composed";
  const axes = layOutAxes(data.values, box, { fromZero: type !== "line" });
  const { plot, value } = axes;
  const shapes = drawValueAxis(axes, theme);
  const padding = isComposed ? 0.5 : data.names.length === 1 ? 0.5 : 0.02;
  const position = scalePoint<number>(data.names.keys(), [plot.x, plot.x + plot.width]).padding(
    padding,
  );
  const step = data.names.length > 1 ? position.step() : plot.width;
  const xOf = (row: number): number => position(row) ?? plot.x;
  const bars = isComposed ? [0] : [];
  if (isComposed)
    shapes.push(...drawBars({ ...data, series: data.series.slice(0, 1) }, axes, step, xOf, theme));
  for (const [index, name] of data.series.entries()) {
    if (bars.includes(index)) continue;
    const color = seriesColor(theme, index);
    const points = data.values[index]!.map((each, row) => ({ row, each }));
    const known = points.filter(
      (point): point is { row: number; each: number } => point.each !== null,
    );
    const curve = curveMonotoneX;
    if (type === "area") {
      const d = area<{ row: number; each: number | null }>()
        .defined(({ each }) => each !== null)
        .x(({ row }) => round(xOf(row)))
        .y0(round(value(0)))
        .y1(({ each }) => round(value(each ?? 0)))
        .curve(curve)(points);
      shapes.push({
        kind: "path",
        d: d ?? "",
        fill: color,
        opacity: data.series.length > 1 ? 0.16 : 0.22,
      });
    }
    const d = line<{ row: number; each: number | null }>()
      .defined(({ each }) => each !== null)
      .x(({ row }) => round(xOf(row)))
      .y(({ each }) => round(value(each ?? 0)))
      .curve(curve)(points);
    shapes.push({
      kind: "path",
      d: d ?? "",
      stroke: color,
      strokeWidth: data.names.length > 300 ? 1.5 : 2.25,
    });
    // A value between two unknown ones has no line.
    const marked =
      data.names.length <= mostPoints
        ? known
        : known.filter(({ row }) => points[row - 1]?.each == null && points[row + 1]?.each == null);
    for (const { row, each } of marked)
      shapes.push({
        kind: "circle",
        x: round(xOf(row)),
        y: round(value(each)),
        radius: 3.25,
        fill: color,
        ring: theme.background,
        tip: `${data.names[row]!}, ${name}: ${shortNumber(each)}`,
      });
  }
  shapes.push(...drawCategories(data.names, plot, xOf, step, theme));
  return shapes;
}

/** `x` is the field of that name, or the rows' names if all are numbers; otherwise rows are spaced evenly. */
export function drawScatter(data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const field = data.series.findIndex((name) => name.toLowerCase() === "x");
  const isField = field !== -1 && data.series.length > 1;
  const named = data.names.map((name) => (name.trim() === "" ? Number.NaN : Number(name)));
  const isNamed = !isField && named.length > 0 && named.every((each) => Number.isFinite(each));
  const xs = isField ? data.values[field]! : isNamed ? named : null;
  const shown = data.series.flatMap((name, index) =>
    isField && index === field ? [] : [{ name, values: data.values[index]! }],
  );
  const axes = layOutAxes(
    shown.map(({ values }) => values),
    box,
    { fromZero: false, bottom: isField ? 20 : 0 },
  );
  const { plot, value } = axes;
  const shapes = drawValueAxis(axes, theme);
  let xOf: (row: number) => number | null;
  if (xs === null) {
    const position = scalePoint<number>(data.names.keys(), [plot.x, plot.x + plot.width]).padding(
      0.5,
    );
    const place = (row: number): number => position(row) ?? plot.x;
    xOf = place;
    shapes.push(...drawCategories(data.names, plot, place, position.step(), theme));
  } else {
    const known = xs.filter((x): x is number => x !== null);
    const [low, high] = extent(known);
    const scale = scaleLinear([low, high], [plot.x, plot.x + plot.width]).nice(6);
    const ticks = scale.ticks(Math.max(2, Math.min(8, plot.width / 80)));
    const write = tickFormat((ticks[1] ?? 1) - (ticks[0] ?? 0), Math.max(...ticks.map(Math.abs)));
    for (const tick of ticks)
      shapes.push({
        kind: "text",
        x: round(scale(tick)),
        y: plot.y + plot.height + 18,
        text: write(tick),
        size: labelSize,
        fill: theme.faint,
        anchor: "middle",
      });
    xOf = (row) => (xs[row] === null ? null : scale(xs[row]!));
    if (isField)
      shapes.push({
        kind: "text",
        x: plot.x + plot.width,
        y: plot.y + plot.height + 38,
        text: data.series[field]!,
        size: labelSize,
        fill: theme.faint,
        anchor: "end",
      });
  }
  const radius = data.names.length > 300 ? 3 : 4.5;
  for (const [index, { name, values }] of shown.entries())
    for (const [row, each] of values.entries()) {
      const x = xOf(row);
      if (each === null || x === null) continue;
      shapes.push({
        kind: "circle",
        x: round(x),
        y: round(value(each)),
        radius,
        fill: seriesColor(theme, index),
        ring: theme.background,
        ...(data.names.length <= mostTips
          ? { tip: `${data.names[row]!}, ${name}: ${shortNumber(each)}` }
          : {}),
      });
    }
  return shapes;
}

function extent(values: number[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  return low === high ? [low - 1, high + 1] : [low, high];
}
