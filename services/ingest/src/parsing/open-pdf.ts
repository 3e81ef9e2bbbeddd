import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { PDFDocumentLoadingTask } from "pdfjs-dist";

/** Pixel limit of one picture in a page; larger ones are left blank to save memory. */
const maxPixels = 80_000_000;

/**
 * Opens a PDF. With `laysOutForms`, a form whose pages exist only as a template (XFA) gets them; if
 * that fails, it can't be opened.
 */
export async function openPdf(
  bytes: Uint8Array,
  { laysOutForms = false } = {},
): Promise<PDFDocumentLoadingTask> {
  const pdfjs = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const folder = path.dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const asset = (name: string): string =>
    `${pathToFileURL(path.join(folder, name)).href.replace(/^file:\/\//, "")}/`;
  return pdfjs.getDocument({
    // pdf.js takes ownership of the buffer.
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
    enableXfa: laysOutForms,
    maxImageSize: maxPixels,
    cMapUrl: asset("cmaps"),
    cMapPacked: true,
    standardFontDataUrl: asset("standard_fonts"),
    wasmUrl: asset("wasm"),
    iccUrl: asset("iccs"),
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    stopAtErrors: false,
  });
}
