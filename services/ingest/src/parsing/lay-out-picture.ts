import type { ParsedPage } from "./parsed-document.ts";
import type { PdfPage, PdfRun } from "./pdf-lines.ts";
import { turnBack, type Turn } from "./recognise-picture.ts";
import type { RecognisedLine } from "./recognise-text.ts";

/**
 * Converts the text recognised in a page's image to page units with the origin at the lower left,
 * as if the page had a text layer.
 */
export function layOutPicture(
  lines: RecognisedLine[],
  picture: { width: number; height: number },
  page: { width: number; height: number },
): PdfPage {
  const scale = page.width / picture.width;
  const heights = lines.map((line) => line.height).sort((a, b) => a - b);
  const median = heights[heights.length >> 1] ?? 0;
  const runs = lines.flatMap((line): PdfRun[] =>
    line.words.map((word, i) => {
      // Letters with or without ascenders and descenders make lines of the same font size differ in
      // height.
      const size = (Math.abs(line.height - median) < 0.35 * median ? median : line.height) * scale;
      return {
        text: i === 0 ? word.text : ` ${word.text}`,
        x: word.left * scale,
        y: page.height - line.bottom * scale,
        width: (word.right - word.left) * scale,
        height: (line.bottom - line.top) * scale,
        size,
        endsLine: i === line.words.length - 1,
        upright: true,
      };
    }),
  );
  return { width: page.width, height: page.height, runs };
}

/** Converts the rectangles of a picture that was turned to be read to the picture as it is shown. */
export function undoTurn(
  page: ParsedPage,
  turn: Turn,
  size: { width: number; height: number },
): void {
  for (let i = 0; i + 5 < page.runs.length; i += 6) {
    const [x = 0, y = 0, width = 0, height = 0] = page.runs.subarray(i + 2, i + 6);
    const [ax, ay] = turnBack([x, page.height - y], turn, size);
    const [bx, by] = turnBack([x + width, page.height - y - height], turn, size);
    page.runs.set(
      [Math.min(ax, bx), size.height - Math.max(ay, by), Math.abs(ax - bx), Math.abs(ay - by)],
      i + 2,
    );
  }
  page.width = size.width;
  page.height = size.height;
}
