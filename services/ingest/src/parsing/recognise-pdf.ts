import type { PDFPageProxy, PageViewport } from "pdfjs-dist";
import type { RenderParameters } from "pdfjs-dist/types/src/display/api.js";
import type { Region } from "./find-pdf-pictures.ts";
import type { ParsedPage } from "./parsed-document.ts";
import type { PdfField, PdfPage, PdfRun } from "./pdf-lines.ts";
import { layOutPicture, recognisePicture, turnBack, type Turn } from "./recognise-picture.ts";
import type { RecognisedLine, Recognition } from "./recognise-text.ts";

/** Resolution at which Tesseract works best, if the page's size allows it. */
const dotsPerInch = 200;
const maxPixels = 12_000_000;

/** A page or a region of it as a black-on-white PNG, with its size in pixels. */
interface RenderedPage {
  png: Buffer;
  width: number;
  height: number;
  /** Converts pixels to the page's own coordinates. */
  viewport: PageViewport;
}

/** Renders a page, or a region of it; null if it is blank. */
async function renderPdfPage(
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
function toViewport(region: Region, viewport: PageViewport, view: number[]): Region {
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

/** A page laid out as it is seen when it is upright. */
export interface RecognisedPage extends PdfPage {
  /** Viewport of the upright page; null if the page's own coordinates are upright. */
  viewport: PageViewport | null;
  isUnreadable: boolean;
}

/** Recognises a whole page; null if it is blank. */
export async function recognisePage(
  page: PDFPageProxy,
  fields: readonly PdfField[],
  recognition: Recognition,
): Promise<RecognisedPage | null> {
  const rendered = await renderPdfPage(page);
  if (rendered === null) return null;
  const picture = await recognisePicture(rendered.png, rendered, recognition);
  const rotation = (page.rotate + picture.turn) % 360;
  const viewport = page.getViewport({ scale: 1, rotation });
  const seen = fields.map((field) => toDisplayed(field, viewport, page.view));
  const laidOut = layOutPicture(picture.lines, picture, viewport);
  return {
    ...laidOut,
    // Values of fields are drawn on the page too.
    runs: blankCovered(laidOut.runs, seen),
    fields: seen,
    viewport: rotation === 0 ? null : viewport,
    isUnreadable: picture.isUnreadable,
  };
}

/** Recognises pictures on a page with a text layer, whose runs it adds where the pictures are. */
export async function addPictures(
  page: PDFPageProxy,
  regions: readonly Region[],
  { runs, width, height, fields = [] }: PdfPage,
  recognition: Recognition,
): Promise<PdfRun[]> {
  let all = runs;
  for (const region of regions) {
    const rendered = await renderPdfPage(page, region);
    if (rendered === null) continue;
    const fillsPage = region.width * region.height > 0.5 * width * height;
    // A figure stands as the text around it does; a scan may have been turned.
    const picture = await recognisePicture(rendered.png, rendered, recognition, {
      isUpright: !fillsPage,
    });
    // The page's own text is drawn over the picture.
    const added = blankCovered(toRuns(picture.lines, picture.turn, rendered, page.view), [
      ...runs,
      ...fields,
    ]);
    const first = added.find((run) => run.text !== "");
    if (!first) continue;
    const own = medianSize(runs);
    const sized = fillsPage
      ? added
      : added.map((run) => ({ ...run, size: Math.min(run.size, own) }));
    const found = all.findIndex((run) => run.text.trim() !== "" && run.y < first.y);
    const at = found === -1 ? all.length : found;
    const end: PdfRun = { ...sized.at(-1)!, text: "", width: 0, endsLine: true };
    all = [...all.slice(0, at), end, ...sized, end, ...all.slice(at)];
  }
  return all;
}

function medianSize(runs: readonly PdfRun[]): number {
  const sizes = runs.filter((run) => run.text.trim() !== "").map((run) => run.size);
  return sizes.sort((a, b) => a - b)[sizes.length >> 1] ?? 0;
}

/** Runs without the text of lines that lie, for the greater part, in the regions. */
function blankCovered(runs: PdfRun[], regions: readonly (Region & { text: string })[]): PdfRun[] {
  const covering = regions.filter((region) => region.text.trim() !== "");
  const isCovered = (run: PdfRun): boolean => {
    const [x, y] = [run.x + run.width / 2, run.y + run.height / 2];
    return covering.some(
      (region) =>
        x > region.x - 1 &&
        x < region.x + region.width + 1 &&
        y > region.y - 0.2 * region.height &&
        y < region.y + 1.2 * region.height,
    );
  };
  const kept: PdfRun[] = [];
  let line: PdfRun[] = [];
  for (const run of runs) {
    line.push(run);
    if (!run.endsLine) continue;
    const covered = new Set(line.filter(isCovered));
    const lettersIn = (some: Iterable<PdfRun>): number =>
      [...some].reduce((sum, { text }) => sum + text.trim().length, 0);
    const all = lettersIn(covered) >= 0.4 * lettersIn(line);
    kept.push(...line.map((word) => (all || covered.has(word) ? { ...word, text: "" } : word)));
    line = [];
  }
  return kept;
}

/** Recognised words in the page's own coordinates. */
function toRuns(
  lines: readonly RecognisedLine[],
  turn: Turn,
  { viewport, ...picture }: { viewport: PageViewport; width: number; height: number },
  view: number[],
): PdfRun[] {
  const toPoint = (x: number, y: number): number[] =>
    viewport.convertToPdfPoint(...turnBack([x, y], turn, picture)) as number[];
  return lines.flatMap((line) =>
    line.words.map((word, i): PdfRun => {
      const [ax = 0, ay = 0] = toPoint(word.left, line.top);
      const [bx = 0, by = 0] = toPoint(word.right, line.bottom);
      return {
        text: i === 0 ? word.text : ` ${word.text}`,
        x: Math.min(ax, bx) - view[0]!,
        y: Math.min(ay, by) - view[1]!,
        width: Math.abs(ax - bx),
        height: Math.abs(ay - by),
        size: line.height / viewport.scale,
        endsLine: i === line.words.length - 1,
        upright: (turn + viewport.rotation) % 360 === 0,
      };
    }),
  );
}

function toDisplayed(field: PdfField, viewport: PageViewport, view: number[]): PdfField {
  const { y, ...place } = toViewport(field, viewport, view);
  return { ...field, ...place, y: viewport.height - y - place.height };
}

/**
 * Converts rectangles of a turned page from displayed coordinates to the page's own, which the text
 * layer uses.
 */
export function undoRotation(page: ParsedPage, viewport: PageViewport, view: number[]): void {
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
