import { drawBarChart } from "./bars.ts";
import { drawFunnel, drawTreemap } from "./blocks.ts";
import { drawCartesian, drawScatter } from "./cartesian.ts";
import { readChartData, type ChartData } from "./chart-data.ts";
import { drawFrame, drawLegend, labelSize, type Box } from "./chart-frame.ts";
import {
  chartThemes,
  seriesColor,
  type Chart,
  type ChartTheme,
  type ChartThemeName,
} from "./chart-theme.ts";
import { drawPie, drawRadar, drawRadialBars } from "./round.ts";
import type { Scene, Shape } from "./scene.ts";

export interface ChartView {
  /** In pixels, from 160 to 4,000. */
  width: number;
  height: number;
  theme: ChartThemeName;
}

const clamp = (length: number): number =>
  Number.isFinite(length) ? Math.min(4_000, Math.max(160, Math.round(length))) : 640;

/** Places everything that a chart shows. Works in browsers too, and never throws for any chart. */
export function layOutChart(chart: Chart, view: ChartView): Scene {
  const size = { width: clamp(view.width), height: clamp(view.height) };
  const theme = chartThemes[view.theme];
  const data = readChartData(chart.rows);
  const { shapes, box } = drawFrame(chart, size, theme);
  return {
    ...size,
    background: theme.background,
    label: chart.title === "" ? `Chart (${chart.chart})` : chart.title,
    shapes: [...shapes, ...drawPlot(chart, data, box, theme)],
  };
}

/** Drawn with a list of names and values instead of a legend, or with names on their shapes. */
const named = new Set<Chart["chart"]>(["pie", "radialBar", "treemap", "funnel"]);

function drawPlot(chart: Chart, data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  const isWhole = chart.chart === "pie" || chart.chart === "treemap";
  const hasData = isWhole
    ? (data.values[0] ?? []).some((each) => each !== null && each > 0)
    : data.series.length > 0;
  if (!hasData)
    return [
      {
        kind: "text",
        x: box.x + box.width / 2,
        y: box.y + box.height / 2,
        text: "No data",
        size: labelSize + 1,
        fill: theme.faint,
        anchor: "middle",
      },
    ];
  const isXAxis = (name: string): boolean =>
    chart.chart === "scatter" && name.toLowerCase() === "x" && data.series.length > 1;
  const listed = data.series.filter((name) => !isXAxis(name));
  const entries =
    named.has(chart.chart) || listed.length < 2
      ? []
      : listed.map((name, index) => ({ name, color: seriesColor(theme, index) }));
  const legend = drawLegend(entries, box, theme);
  return [...legend.shapes, ...plotOf(chart.chart, data, legend.box, theme)];
}

function plotOf(type: Chart["chart"], data: ChartData, box: Box, theme: ChartTheme): Shape[] {
  switch (type) {
    case "bar":
      return drawBarChart(data, box, theme);
    case "area":
    case "line":
    case "composed":
      return drawCartesian(type, data, box, theme);
    case "scatter":
      return drawScatter(data, box, theme);
    case "pie":
      return drawPie(data, box, theme);
    case "radar":
      return drawRadar(data, box, theme);
    case "radialBar":
      return drawRadialBars(data, box, theme);
    case "treemap":
      return drawTreemap(data, box, theme);
    case "funnel":
      return drawFunnel(data, box, theme);
  }
}
