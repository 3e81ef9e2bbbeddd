import type { PdfPage, PdfRun } from "./lay-out-pdf.ts";
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
