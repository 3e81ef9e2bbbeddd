import { scalePoint } from "d3-scale";
import {
  drawCategories,
  drawValueAxis,
  drawValueAxisBelow,
  layOutAxes,
  sideLabels,
  valueScale,
  widthOf,
  type Axes,
} from "./axes.ts";
import type { ChartData } from "./chart-data.ts";
import { labelSize, type Box } from "./chart-frame.ts";
import { shortNumber } from "./chart-numbers.ts";
import { seriesColor, type ChartTheme } from "./chart-theme.ts";
import type { Shape } from "./scene.ts";

const mostTips = 400;

/** A bar from its foot on the axis to its end, which is rounded. */
function barPath(
  from: number,
  to: number,
  start: number,
  thickness: number,
  isHorizontal: boolean,
): string {
  const way = Math.sign(to - from);
  const radius = Math.min(4, thickness / 2, Math.abs(to - from));
  const point = (along: number, across: number): string =>
    isHorizontal
      ? `${along.toFixed(2)},${across.toFixed(2)}`
      : `${across.toFixed(2)},${along.toFixed(2)}`;
  const end = start + thickness;
  const bend = to - way * radius;
  return `M${point(from, start)}L${point(bend, start)}Q${point(to, start)} ${point(to, start + radius)}L${point(to, end - radius)}Q${point(to, end)} ${point(bend, end)}L${point(from, end)}Z`;
}

/** Bars side by side for each row, which is `step` pixels wide. */
export function drawBars(
  data: ChartData,
  axes: Axes,
  step: number,
  centreOf: (row: number) => number,
  theme: ChartTheme,
  isHorizontal = false,
): Shape[] {
  const group = Math.min(step * (data.series.length > 1 ? 0.78 : 0.66), 46 * data.series.length);
  const gap = group / data.series.length > 8 ? 2 : 0;
  const thickness = Math.max(group / data.series.length - gap, 0.5);
  const foot = axes.value(0);
  return data.series.flatMap((name, index) =>
    data.values[index]!.flatMap((each, row): Shape[] => {
      if (each === null) return [];
      const start = centreOf(row) - group / 2 + index * (thickness + gap) + gap / 2;
      const d = barPath(foot, axes.value(each), start, thickness, isHorizontal);
      return [
        {
          kind: "path",
          d,
          fill: seriesColor(theme, index),
          ...(data.names.length <= mostTips
            ? { tip: `${data.names[row]!}, ${name}: ${shortNumber(each)}` }
            : {}),
        },
      ];
    }),
  );
}

/** Upright bars, or horizontal ones if the rows' names wouldn't fit below the bars. */
export function drawBarChart(data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const room = (box.width * 0.9) / Math.max(1, data.names.length) - 8;
  const longest = Math.max(0, ...data.names.map(widthOf));
  const areMany = box.height / Math.max(1, data.names.length) < 8 + 9 * data.series.length;
  if (longest > room * 1.4 && !areMany) return drawHorizontally(data, box, theme);
  const axes = layOutAxes(data.values, box, { fromZero: true });
  const { plot } = axes;
  const position = scalePoint<number>(data.names.keys(), [plot.x, plot.x + plot.width]).padding(
    0.5,
  );
  const step = data.names.length > 1 ? position.step() : plot.width;
  const centreOf = (row: number): number => position(row) ?? plot.x;
  return [
    ...drawValueAxis(axes, theme),
    ...drawBars(data, axes, step, centreOf, theme),
    ...drawCategories(data.names, plot, centreOf, step, theme),
  ];
}

function drawHorizontally(data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const { width, texts } = sideLabels(data.names, box.width * 0.36);
  const plot: Box = {
    x: box.x + width + 12,
    y: box.y,
    width: box.width - width - 30,
    height: Math.max(10, box.height - 26),
  };
  const { scale, ticks } = valueScale(data.values, {
    fromZero: true,
    ticks: Math.max(2, Math.min(6, Math.floor(plot.width / 80))),
  });
  const axes: Axes = { plot, value: scale.range([plot.x, plot.x + plot.width]), ticks };
  const position = scalePoint<number>(data.names.keys(), [plot.y, plot.y + plot.height]).padding(
    0.5,
  );
  const step = data.names.length > 1 ? position.step() : plot.height;
  const centreOf = (row: number): number => position(row) ?? plot.y;
  return [
    ...drawValueAxisBelow(axes, theme),
    ...drawBars(data, axes, step, centreOf, theme, true),
    ...texts.map((text, row): Shape => ({
      kind: "text",
      x: plot.x - 12,
      y: centreOf(row) + 4,
      text,
      size: labelSize,
      fill: theme.text,
      anchor: "end",
    })),
  ];
}
