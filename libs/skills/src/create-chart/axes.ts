import { clipText } from "@carrel/contracts/clip-text";
import { scaleLinear, type ScaleLinear } from "d3-scale";
import { labelSize, type Box } from "./chart-frame.ts";
import { tickFormat } from "./chart-numbers.ts";
import type { ChartTheme } from "./chart-theme.ts";
import { fitText, textWidth, wrapText, type Shape } from "./scene.ts";

export interface Axes {
  /** Without the labels. */
  plot: Box;
  /** From a value to its pixel: its height, or with horizontal bars its place from the left. */
  value: ScaleLinear<number, number>;
  ticks: { at: number; text: string }[];
}

const bottomLabels = 42;

/** The range of values, with round ends; from zero unless the values lie far from it. */
export function valueScale(
  values: readonly (readonly (number | null)[])[],
  o: { fromZero: boolean; ticks: number },
): { scale: ScaleLinear<number, number>; ticks: { at: number; text: string }[] } {
  let low = Infinity;
  let high = -Infinity;
  for (const each of values.flat()) {
    if (each === null) continue;
    low = Math.min(low, each);
    high = Math.max(high, each);
  }
  if (low > high) [low, high] = [0, 1];
  const isFar = !o.fromZero && low > 0 && (high - low) / high < 0.5 && high > low;
  if (!isFar) [low, high] = [Math.min(0, low), Math.max(0, high)];
  if (low === high) high = low + 1;
  const scale = scaleLinear([low, high], [0, 1]).nice(o.ticks);
  const ticks = scale.ticks(o.ticks);
  const largest = Math.max(...ticks.map(Math.abs));
  const write = tickFormat(ticks.length > 1 ? ticks[1]! - ticks[0]! : 1, largest);
  return { scale, ticks: ticks.map((at) => ({ at, text: write(at) })) };
}

const widest = (ticks: Axes["ticks"]): number =>
  Math.max(0, ...ticks.map(({ text }) => textWidth(text, labelSize)));

/** @param o.bottom more room below, in pixels */
export function layOutAxes(
  values: readonly (readonly (number | null)[])[],
  box: Box,
  o: { fromZero: boolean; bottom?: number },
): Axes {
  const height = Math.max(10, box.height - bottomLabels - (o.bottom ?? 0) - 6);
  const { scale, ticks } = valueScale(values, {
    ...o,
    ticks: Math.max(2, Math.min(5, Math.floor(height / 40))),
  });
  const left = Math.min(widest(ticks) + 10, box.width / 2);
  const plot = { x: box.x + left, y: box.y + 6, width: box.width - left, height };
  return { plot, value: scale.range([plot.y + height, plot.y]), ticks };
}

const rule = (x1: number, y1: number, x2: number, y2: number, stroke: string): Shape => ({
  kind: "path",
  d: `M${x1.toFixed(1)},${y1.toFixed(1)}L${x2.toFixed(1)},${y2.toFixed(1)}`,
  stroke,
  strokeWidth: 1,
});

export function drawValueAxis({ plot, value, ticks }: Axes, theme: ChartTheme): Shape[] {
  return ticks.flatMap(({ at, text }): Shape[] => {
    const y = Math.round(value(at)) + 0.5;
    return [
      rule(plot.x, y, plot.x + plot.width, y, at === 0 ? theme.axis : theme.grid),
      {
        kind: "text",
        x: plot.x - 10,
        y: y + 4,
        text,
        size: labelSize,
        fill: theme.faint,
        anchor: "end",
      },
    ];
  });
}

/** The same with values from left to right, for horizontal bars. */
export function drawValueAxisBelow({ plot, value, ticks }: Axes, theme: ChartTheme): Shape[] {
  return ticks.flatMap(({ at, text }): Shape[] => {
    const x = Math.round(value(at)) + 0.5;
    return [
      rule(x, plot.y, x, plot.y + plot.height, at === 0 ? theme.axis : theme.grid),
      {
        kind: "text",
        x,
        y: plot.y + plot.height + 18,
        text,
        size: labelSize,
        fill: theme.faint,
        anchor: "middle",
      },
    ];
  });
}

/** Names below the plot: all in up to two lines each if they fit, otherwise every second, third, … */
export function drawCategories(
  names: readonly string[],
  plot: Box,
  xOf: (row: number) => number,
  step: number,
  theme: ChartTheme,
): Shape[] {
  const wanted = Math.max(0, ...names.slice(0, 1_000).map(widthOf));
  // Few names are shortened rather than left out.
  const least = Math.min(wanted, names.length > 12 ? 110 : 56) + 10;
  const every = Math.max(1, Math.ceil(least / Math.max(step, 0.01)));
  const room = Math.max(step * every - 8, 16);
  const right = plot.x + plot.width + 6;
  return names.flatMap((name, row): Shape[] => {
    if (row % every !== 0) return [];
    const lines = wrapText(name, room, labelSize, 2);
    const half = Math.max(0, ...lines.map((each) => textWidth(each, labelSize))) / 2;
    // The outer ones are moved inwards, so that the picture's edge doesn't cut them.
    const x = Math.max(Math.min(xOf(row), right + 10 - half), half + 4);
    return lines.map((text, index) => ({
      kind: "text",
      x: Math.round(x * 10) / 10,
      y: plot.y + plot.height + 18 + index * 15,
      text,
      size: labelSize,
      fill: theme.faint,
      anchor: "middle",
    }));
  });
}
/** Enough of a name to know that it doesn't fit. */
export const widthOf = (name: string): number => textWidth(clipText(name, 60), labelSize);

/** Names left of horizontal bars; returns how wide they are. */
export function sideLabels(
  names: readonly string[],
  most: number,
): { width: number; texts: string[] } {
  const texts = names.map((name) => fitText(name.replace(/\s+/g, " ").trim(), most, labelSize));
  return { width: Math.max(0, ...texts.map((text) => textWidth(text, labelSize))), texts };
}
