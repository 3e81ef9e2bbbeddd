import type { PDFPageProxy, PageViewport } from "pdfjs-dist";
import type { RenderParameters } from "pdfjs-dist/types/src/display/api.js";
import type { Region } from "./find-pdf-pictures.ts";

/** Resolution at which Tesseract works best, if the page's size allows it. */
const dotsPerInch = 200;
const maxPixels = 12_000_000;

/** A page or a region of it as a black-on-white PNG, with its size in pixels. */
export interface RenderedPage {
  png: Buffer;
  width: number;
  height: number;
  /** Converts pixels to the page's own coordinates. */
  viewport: PageViewport;
}

/** Renders a page, or a region of it; null if it is blank. */
export async function renderPdfPage(
  page: PDFPageProxy,
  region: Region | null = null,
): Promise<RenderedPage | null> {
  const { createCanvas } = await import("@napi-rs/canvas");
  const unscaled = page.getViewport({ scale: 1, rotation: 0 });
  const { width, height } = region ?? unscaled;
  const scale = Math.min(dotsPerInch / 72, Math.sqrt(maxPixels / Math.max(1, width * height)));
  const { viewport, ...size } = viewportOf(page, region, scale);
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  // Skia's canvas implements what pdf.js uses of the browser's.
  await page.render({
    canvas: null,
    canvasContext: context as unknown as RenderParameters["canvasContext"],
    viewport,
  }).promise;
  const pixels = new Uint32Array(
    context.getImageData(0, 0, canvas.width, canvas.height).data.buffer,
  );
  if (pixels.every((pixel) => pixel === 0xffff_ffff)) return null;
  return { png: await canvas.encode("png"), ...size, viewport };
}

function viewportOf(
  page: PDFPageProxy,
  region: Region | null,
  scale: number,
): { viewport: PageViewport; width: number; height: number } {
  const whole = page.getViewport({ scale });
  const pixels = (n: number): number => Math.max(1, Math.ceil(n));
  if (region === null)
    return { viewport: whole, width: pixels(whole.width), height: pixels(whole.height) };
  const { x, y, width, height } = toViewport(region, whole, page.view);
  return {
    viewport: page.getViewport({ scale, offsetX: -x, offsetY: -y }),
    width: pixels(width),
    height: pixels(height),
  };
}

/** A region of a page in pixels of a viewport, with the origin at its upper left. */
export function toViewport(region: Region, viewport: PageViewport, view: number[]): Region {
  const [left, bottom] = [region.x + view[0]!, region.y + view[1]!];
  const [ax = 0, ay = 0] = viewport.convertToViewportPoint(left, bottom) as number[];
  const [bx = 0, by = 0] = viewport.convertToViewportPoint(
    left + region.width,
    bottom + region.height,
  ) as number[];
  return {
    x: Math.min(ax, bx),
    y: Math.min(ay, by),
    width: Math.abs(ax - bx),
    height: Math.abs(ay - by),
  };
}
