import type { PDFPageProxy } from "pdfjs-dist";
import type { RenderParameters } from "pdfjs-dist/types/src/display/api.js";

/** Resolution at which Tesseract works best, if the page's size allows it. */
const dotsPerInch = 200;
const maxPixels = 12_000_000;

/** A page as a black-on-white PNG with its size in pixels; null if the page is blank. */
export async function renderPdfPage(
  page: PDFPageProxy,
): Promise<{ png: Buffer; width: number; height: number } | null> {
  const { createCanvas } = await import("@napi-rs/canvas");
  const unscaled = page.getViewport({ scale: 1, rotation: 0 });
  const scale = Math.min(
    dotsPerInch / 72,
    Math.sqrt(maxPixels / Math.max(1, unscaled.width * unscaled.height)),
  );
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(
    Math.max(1, Math.ceil(viewport.width)),
    Math.max(1, Math.ceil(viewport.height)),
  );
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
  return { png: await canvas.encode("png"), width: canvas.width, height: canvas.height };
}
