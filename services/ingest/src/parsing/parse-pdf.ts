import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { PDFPageProxy, PageViewport } from "pdfjs-dist";
import { layOutPages, type PdfPage, type PdfRun } from "./lay-out-pdf.ts";
import { layOutPicture } from "./lay-out-picture.ts";
import {
  ProcessingRequiredError,
  UnreadableError,
  type ParsedPage,
  type ParsedText,
} from "./parsed-document.ts";
import { recogniseText, type Recognition } from "./recognise-text.ts";
import { renderPdfPage } from "./render-pdf-page.ts";

/** A text item from pdf.js; marked-content items have no `str`. */
interface PdfItem {
  str?: string;
  transform?: number[];
  width?: number;
  height?: number;
  hasEOL?: boolean;
}

/**
 * Bounding box of a run that may be rotated, from pdf.js's baseline start, direction, length and
 * height.
 */
function toRun(item: PdfItem, view: number[]): PdfRun {
  const [a = 1, b = 0, , , e = 0, f = 0] = item.transform ?? [];
  const scale = Math.hypot(a, b) || 1;
  const [cos, sin] = [a / scale, b / scale];
  const height = item.height || scale;
  const width = item.width ?? 0;
  // In common fonts, a fifth of the height lies below the baseline.
  const corners = [
    [0, -0.2 * height],
    [width, -0.2 * height],
    [0, 0.8 * height],
    [width, 0.8 * height],
  ].map(([x = 0, y = 0]) => [e + x * cos - y * sin, f + x * sin + y * cos]);
  const xs = corners.map((corner) => corner[0]!);
  const ys = corners.map((corner) => corner[1]!);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return {
    text: item.str ?? "",
    x: x - view[0]!,
    y: y - view[1]!,
    width: Math.max(...xs) - x,
    height: Math.max(...ys) - y,
    size: height,
    endsLine: item.hasEOL ?? false,
    upright: Math.abs(sin) < 0.1,
  };
}

/** Limit on pages, above even a legal compendium. */
const maxPages = 20_000;
/** Pixel limit of one picture in a page; larger ones are left blank to save memory. */
const maxPixels = 80_000_000;

const hasWords = (runs: PdfRun[]): boolean => runs.some((run) => /[\p{L}\p{N}]/u.test(run.text));

/**
 * Whether a page without a text layer may show text: it paints a picture, or more shapes than rules
 * and frames need.
 */
async function mayShowWords(
  page: PDFPageProxy,
  operators: { OPS: Record<string, number> },
): Promise<boolean> {
  const { fnArray } = await page.getOperatorList();
  const { OPS } = operators;
  const pictures = new Set([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintInlineImageXObjectGroup,
    OPS.paintImageXObjectRepeat,
    OPS.paintImageMaskXObjectRepeat,
  ]);
  let shapes = 0;
  for (const operator of fnArray) {
    if (pictures.has(operator)) return true;
    if (operator === OPS.constructPath && ++shapes > 100) return true;
  }
  return false;
}

/**
 * Converts rectangles of a rotated page from displayed coordinates to the page's own, which the
 * text layer uses.
 */
function undoRotation(page: ParsedPage, viewport: PageViewport, view: number[]): void {
  for (let i = 0; i + 5 < page.runs.length; i += 6) {
    const [x = 0, y = 0, width = 0, height = 0] = page.runs.subarray(i + 2, i + 6);
    const [ax = 0, ay = 0] = viewport.convertToPdfPoint(x, viewport.height - y) as number[];
    const [bx = 0, by = 0] = viewport.convertToPdfPoint(
      x + width,
      viewport.height - y - height,
    ) as number[];
    page.runs.set(
      [
        Math.min(ax, bx) - view[0]!,
        Math.min(ay, by) - view[1]!,
        Math.abs(ax - bx),
        Math.abs(ay - by),
      ],
      i + 2,
    );
  }
  page.width = view[2]! - view[0]!;
  page.height = view[3]! - view[1]!;
}

/**
 * The text of a PDF with a rectangle for each run, from its text layer or, for pages without text,
 * by recognition. Without `recognition`, such pages throw ProcessingRequiredError with their number. Throws
 * UnreadableError if the file is damaged or protected.
 */
export async function parsePdf(
  bytes: Uint8Array,
  recognition: Recognition | null,
): Promise<ParsedText> {
  const pdfjs = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const folder = path.dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const asset = (name: string): string =>
    `${pathToFileURL(path.join(folder, name)).href.replace(/^file:\/\//, "")}/`;
  const task = pdfjs.getDocument({
    // pdf.js takes ownership of the buffer.
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
    enableXfa: false,
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
  try {
    const document = await task.promise;
    if (document.numPages > maxPages)
      throw new UnreadableError({
        code: "file.too-many-pages",
        params: { pages: document.numPages, limit: maxPages },
      });
    const pages: PdfPage[] = [];
    const wordless: number[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const content = await page.getTextContent();
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = page.view;
      pages.push({
        width: x1 - x0,
        height: y1 - y0,
        runs: (content.items as PdfItem[])
          .filter((item) => item.str !== undefined)
          .map((item) => toRun(item, page.view)),
      });
      if (!hasWords(pages.at(-1)!.runs) && (await mayShowWords(page, pdfjs))) wordless.push(number);
      page.cleanup();
    }
    if (wordless.length > 0 && recognition === null)
      throw new ProcessingRequiredError("recognition", wordless.length);
    if (recognition !== null && wordless.length > recognition.maxPages) {
      throw new UnreadableError({
        code: "file.too-many-pages-to-recognise",
        params: { pages: wordless.length, limit: recognition.maxPages },
      });
    }
    const turned = new Map<number, { viewport: PageViewport; view: number[] }>();
    for (const number of recognition === null ? [] : wordless) {
      const page = await document.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      const picture = await renderPdfPage(page);
      page.cleanup();
      if (picture === null) continue;
      pages[number - 1] = layOutPicture(
        await recogniseText(picture.png, recognition!),
        picture,
        viewport,
      );
      if (page.rotate !== 0) turned.set(number, { viewport, view: page.view });
    }
    const parsed = layOutPages(pages);
    for (const [number, { viewport, view }] of turned)
      undoRotation(parsed.pages[number - 1]!, viewport, view);
    return parsed;
  } catch (cause) {
    if (cause instanceof UnreadableError || cause instanceof ProcessingRequiredError) throw cause;
    if (cause instanceof Error && cause.name === "PasswordException")
      throw new UnreadableError(
        {
          code: "file.password-protected",
          params: { what: { code: "file-kind.pdf" } },
        },
        { cause },
      );
    throw new UnreadableError(
      { code: "file.damaged", params: { what: { code: "file-kind.pdf" } } },
      { cause },
    );
  } finally {
    await task.destroy();
  }
}
