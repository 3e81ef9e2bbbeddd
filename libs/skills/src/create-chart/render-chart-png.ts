import type { SKRSContext2D } from "@napi-rs/canvas";
import { fontFile } from "../fonts.ts";
import type { Chart } from "./chart-theme.ts";
import { layOutChart, type ChartView } from "./lay-out-chart.ts";
import type { Scene, Shape } from "./scene.ts";

type Canvas = typeof import("@napi-rs/canvas");
let loading: Promise<Canvas> | null = null;

/** Skia takes about 20 MB, so it is loaded with the first picture rather than at startup. */
function loadCanvas(): Promise<Canvas> {
  loading ??= import("@napi-rs/canvas").then((canvas) => {
    canvas.GlobalFonts.registerFromPath(fontFile("regular"), regular);
    canvas.GlobalFonts.registerFromPath(fontFile("bold"), bold);
    return canvas;
  });
  return loading;
}

// Names of their own: the system's Inter may lack characters that ours has.
const regular = "Chart Regular";
const bold = "Chart Bold";

/**
 * A chart as a PNG picture. It is drawn from the same shapes as the SVG, without reading that.
 *
 * @param view.scale pixels for each of the view's; default 2, for sharp screens and print
 */
export async function renderChartPng(
  chart: Chart,
  { scale = 2, ...view }: ChartView & { scale?: number },
): Promise<Buffer> {
  const canvas = await loadCanvas();
  const scene = layOutChart(chart, view);
  const factor = Math.min(Math.max(scale, 0.5), 8_000 / Math.max(scene.width, scene.height));
  const made = canvas.createCanvas(
    Math.round(scene.width * factor),
    Math.round(scene.height * factor),
  );
  const context = made.getContext("2d");
  context.scale(factor, factor);
  paint(scene, context, canvas);
  return made.encode("png");
}

function paint(scene: Scene, context: SKRSContext2D, canvas: Canvas): void {
  context.fillStyle = scene.background;
  context.fillRect(0, 0, scene.width, scene.height);
  for (const shape of scene.shapes) paintShape(shape, context, canvas);
}

function paintShape(shape: Shape, context: SKRSContext2D, { Path2D }: Canvas): void {
  if (shape.kind === "text") {
    context.font = `${shape.size}px "${shape.isBold === true ? bold : regular}", sans-serif`;
    context.fillStyle = shape.fill;
    context.textAlign =
      shape.anchor === "middle" ? "center" : shape.anchor === "end" ? "right" : "left";
    context.fillText(shape.text, shape.x, shape.y);
    return;
  }
  if (shape.kind === "rect") {
    context.fillStyle = shape.fill;
    context.beginPath();
    context.roundRect(shape.x, shape.y, shape.width, shape.height, 4);
    context.fill();
    return;
  }
  if (shape.kind === "circle") {
    context.beginPath();
    context.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI);
    context.fillStyle = shape.fill;
    context.fill();
    if (shape.ring !== undefined) {
      context.strokeStyle = shape.ring;
      context.lineWidth = 1.5;
      context.stroke();
    }
    return;
  }
  const { d, x = 0, y = 0, fill, stroke, strokeWidth = 1, opacity = 1 } = shape;
  const path = new Path2D(d);
  context.save();
  context.translate(x, y);
  context.globalAlpha = opacity;
  if (fill !== undefined) {
    context.fillStyle = fill;
    context.fill(path);
  }
  if (stroke !== undefined) {
    context.strokeStyle = stroke;
    context.lineWidth = strokeWidth;
    context.lineJoin = "round";
    context.lineCap = "round";
    context.stroke(path);
  }
  context.restore();
}
