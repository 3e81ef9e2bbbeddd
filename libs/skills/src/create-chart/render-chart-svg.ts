import type { Chart } from "./chart-theme.ts";
import { layOutChart, type ChartView } from "./lay-out-chart.ts";
import type { Shape } from "./scene.ts";

/** Escapes text for XML, without the characters that XML can't hold. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F\uFFFE\uFFFF]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

const number = (value: number): string =>
  Number.isFinite(value) ? String(Math.round(value * 100) / 100) : "0";

/** Names, labels and titles are written as text, so nothing in them is markup. */
function write(shape: Shape): string {
  const tip =
    "tip" in shape && shape.tip !== undefined ? `<title>${escapeXml(shape.tip)}</title>` : "";
  const close = (name: string): string => (tip === "" ? "/>" : `>${tip}</${name}>`);
  switch (shape.kind) {
    case "rect":
      return `<rect x="${number(shape.x)}" y="${number(shape.y)}" width="${number(shape.width)}" height="${number(shape.height)}" rx="4" fill="${shape.fill}"${close("rect")}`;
    case "circle": {
      const ring = shape.ring === undefined ? "" : ` stroke="${shape.ring}" stroke-width="1.5"`;
      return `<circle cx="${number(shape.x)}" cy="${number(shape.y)}" r="${number(shape.radius)}" fill="${shape.fill}"${ring}${close("circle")}`;
    }
    case "path": {
      const { d, x = 0, y = 0, fill = "none", stroke, strokeWidth = 1, opacity = 1 } = shape;
      const move = x === 0 && y === 0 ? "" : ` transform="translate(${number(x)},${number(y)})"`;
      const line =
        stroke === undefined
          ? ""
          : ` stroke="${stroke}" stroke-width="${number(strokeWidth)}" stroke-linejoin="round" stroke-linecap="round"`;
      const faded = opacity === 1 ? "" : ` opacity="${number(opacity)}"`;
      return `<path d="${escapeXml(d)}"${move} fill="${fill}"${line}${faded}${close("path")}`;
    }
    case "text": {
      const anchor = shape.anchor === undefined ? "" : ` text-anchor="${shape.anchor}"`;
      const weight = shape.isBold === true ? ' font-weight="600"' : "";
      return `<text x="${number(shape.x)}" y="${number(shape.y)}" font-size="${number(shape.size)}"${weight} fill="${shape.fill}"${anchor}>${escapeXml(shape.text)}</text>`;
    }
  }
}

/**
 * A chart as an SVG document. It has no script, style sheet, link or reference, and needs no font of
 * its own. It uses nothing of Node.js.
 */
export function renderChartSvg(chart: Chart, view: ChartView): string {
  const { width, height, background, label, shapes } = layOutChart(chart, view);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(label)}" font-family="'Inter Variable', Inter, ui-sans-serif, system-ui, 'Segoe UI', Roboto, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    ...shapes.map(write),
    "</svg>",
  ].join("\n");
}
