import type { Chart, ChartTheme } from "./chart-theme.ts";
import { fitText, textWidth, wrapText, type Shape } from "./scene.ts";

/** Where the next part of a chart can be drawn, in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const margin = 20;
const titleSize = 16;
const captionSize = 12;
export const labelSize = 12;

/** Draws title and caption, and returns the room between them. */
export function drawFrame(
  chart: Pick<Chart, "title" | "caption">,
  size: { width: number; height: number },
  theme: ChartTheme,
): { shapes: Shape[]; box: Box } {
  const shapes: Shape[] = [];
  const width = size.width - 2 * margin;
  let top = margin;
  for (const line of wrapText(chart.title, width, titleSize, 2, true)) {
    shapes.push({
      kind: "text",
      x: margin,
      y: top + titleSize - 2,
      text: line,
      size: titleSize,
      isBold: true,
      fill: theme.title,
    });
    top += 22;
  }
  const caption = wrapText(chart.caption ?? "", width, captionSize, 2);
  let bottom = size.height - margin;
  for (const line of caption.toReversed()) {
    shapes.push({
      kind: "text",
      x: margin,
      y: bottom,
      text: line,
      size: captionSize,
      fill: theme.faint,
    });
    bottom -= 17;
  }
  if (caption.length > 0) bottom -= 4;
  if (top > margin) top += 8;
  return { shapes, box: { x: margin, y: top, width, height: Math.max(0, bottom - top) } };
}

export interface LegendEntry {
  name: string;
  color: string;
  /** Beside the name. */
  value?: string;
}

const swatch = 10;

/** Draws the series' names in at most two lines above the plot, and returns the room below. */
export function drawLegend(
  entries: readonly LegendEntry[],
  box: Box,
  theme: ChartTheme,
): { shapes: Shape[]; box: Box } {
  const shapes: Shape[] = [];
  const most = Math.max(60, Math.min(220, box.width / 2));
  let x = box.x;
  let line = 0;
  for (const [index, { name, color }] of entries.entries()) {
    const text = fitText(name, most, labelSize);
    const width = swatch + 6 + textWidth(text, labelSize);
    const left = entries.length - index;
    const reserve = line === 1 && left > 1 ? 60 : 0;
    if (x > box.x && x + width + reserve > box.x + box.width) {
      if (line === 1) {
        shapes.push(label(x, box.y + 10 + line * 20, `+${left} more`, theme));
        break;
      }
      line += 1;
      x = box.x;
    }
    const y = box.y + line * 20;
    shapes.push(
      { kind: "circle", x: x + 5, y: y + 6, radius: 5, fill: color },
      label(x + swatch + 6, y + 10, text, theme),
    );
    x += width + 18;
  }
  const height = entries.length === 0 ? 0 : (line + 1) * 20 + 8;
  return {
    shapes,
    box: { ...box, y: box.y + height, height: Math.max(0, box.height - height) },
  };
}

const label = (x: number, y: number, text: string, theme: ChartTheme): Shape => ({
  kind: "text",
  x,
  y,
  text,
  size: labelSize,
  fill: theme.text,
});

/** Draws names and values one below the other, centred in the height of the box. */
export function drawList(entries: readonly LegendEntry[], box: Box, theme: ChartTheme): Shape[] {
  const lineHeight = 24;
  const room = Math.max(1, Math.floor(box.height / lineHeight));
  const shown = entries.length > room ? entries.slice(0, Math.max(1, room - 1)) : entries;
  const lines = shown.length + (shown.length < entries.length ? 1 : 0);
  const top = box.y + Math.max(0, (box.height - lines * lineHeight) / 2);
  const shapes = shown.flatMap(({ name, color, value = "" }, index): Shape[] => {
    const y = top + index * lineHeight + 16;
    const room = box.width - swatch - 18 - textWidth(value, labelSize, true);
    return [
      { kind: "circle", x: box.x + 5, y: y - 4, radius: 5, fill: color },
      label(box.x + swatch + 6, y, fitText(name, room, labelSize), theme),
      {
        kind: "text",
        x: box.x + box.width,
        y,
        text: value,
        size: labelSize,
        isBold: true,
        fill: theme.title,
        anchor: "end",
      },
    ];
  });
  if (shown.length < entries.length)
    shapes.push(
      label(
        box.x + swatch + 6,
        top + shown.length * lineHeight + 16,
        `+${entries.length - shown.length} more`,
        theme,
      ),
    );
  return shapes;
}

/** The room for a round plot, and for a list beside it or, where that is narrow, below. */
export function splitForList(box: Box, entries: readonly LegendEntry[]): { plot: Box; list: Box } {
  if (box.width >= 420) {
    const needed = Math.max(
      0,
      ...entries.map(({ name, value = "" }) => textWidth(`${name}${value}`, labelSize, true)),
    );
    const width = Math.min(Math.max(needed + swatch + 36, 120), box.width * 0.46);
    // The two together are centred.
    const plot = Math.min(box.width - width - 40, box.height);
    const left = box.x + Math.max(0, (box.width - plot - 40 - width) / 2);
    return {
      plot: { x: left, y: box.y, width: plot, height: box.height },
      list: { x: left + plot + 40, y: box.y, width, height: box.height },
    };
  }
  const height = Math.min(entries.length * 24, box.height * 0.4);
  return {
    plot: { ...box, height: Math.max(0, box.height - height - 12) },
    list: { ...box, y: box.y + box.height - height, height },
  };
}
