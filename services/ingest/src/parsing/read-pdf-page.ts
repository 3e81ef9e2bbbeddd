import type { PDFPageProxy } from "pdfjs-dist";
import { toPlainLetters } from "./order-pdf-directions.ts";
import type { PdfRun } from "./pdf-lines.ts";

/** A text item from pdf.js; marked-content items have no `str`. */
interface PdfItem {
  str?: string;
  transform?: number[];
  width?: number;
  height?: number;
  hasEOL?: boolean;
  fontName?: string;
}

/**
 * Bounding box of a run that may be rotated, from pdf.js's baseline start, direction, length and
 * height.
 */
function toRun(item: PdfItem, view: number[], isVertical: boolean): PdfRun {
  const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = item.transform ?? [];
  const scale = Math.hypot(a, b) || 1;
  const text = toPlainLetters(item.str ?? "");
  if (isVertical) {
    // Vertical text starts at the top, in the middle of its line.
    const size = Math.hypot(c, d) || scale;
    const length = item.height ?? 0;
    return {
      text,
      x: e - size / 2 - view[0]!,
      y: f - length - view[1]!,
      width: size,
      height: length,
      size,
      endsLine: item.hasEOL ?? false,
      upright: true,
      vertical: true,
    };
  }
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
    text,
    x: x - view[0]!,
    y: y - view[1]!,
    width: Math.max(...xs) - x,
    height: Math.max(...ys) - y,
    size: height,
    endsLine: item.hasEOL ?? false,
    upright: Math.abs(sin) < 0.1,
  };
}

/** The text layer of a page. */
export async function readRuns(page: PDFPageProxy): Promise<PdfRun[]> {
  // pdf.js would replace ligatures before it orders Arabic letters, which turns them around.
  const { items, styles } = await page.getTextContent({ disableNormalization: true });
  return (items as PdfItem[])
    .filter((item) => item.str !== undefined)
    .map((item) => toRun(item, page.view, styles[item.fontName ?? ""]?.vertical ?? false));
}

export const hasWords = (runs: readonly PdfRun[]): boolean =>
  runs.some((run) => /[\p{L}\p{N}]/u.test(run.text));

/** Fonts without a table of their letters give characters of no meaning. */
const meaningless = /[\p{Co}\p{Cc}\p{Cn}\ufffd]/gu;

const textOf = (runs: readonly PdfRun[]): string => runs.map((run) => run.text).join(" ");
const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, "");

/** Whether a text layer isn't text: characters without meaning. */
export function isMeaningless(runs: readonly PdfRun[]): boolean {
  const characters = withoutSpaces(textOf(runs));
  return (
    characters.length >= 20 &&
    (characters.match(meaningless)?.length ?? 0) > 0.3 * characters.length
  );
}

/**
 * Whether a text layer consists of single letters and signs, which recognition makes of a scan that
 * was turned. Answer keys and chess games look the same, but aren't drawn over a scan.
 */
export function isScattered(runs: readonly PdfRun[]): boolean {
  const text = textOf(runs);
  const characters = withoutSpaces(text);
  if (characters.length < 20 || /[\u0590-\uffff]/.test(characters)) return false;
  const words = text.split(/\s+/).filter((word) => word !== "");
  const whole = words.filter((word) => /^\P{L}*\p{L}{3,}\P{L}*$/u.test(word));
  return words.length >= 20 && whole.length < 0.15 * words.length && !/\d{3}/.test(text);
}
