import type { PageRectangle } from "@carrel/contracts";
import type { ParsedPage } from "./parsed-document.ts";

/**
 * Rectangles that cover a character range, one per line and page. A partly covered run is cut in
 * proportion to its characters.
 */
export function rectanglesFor(
  pages: Pick<ParsedPage, "page" | "start" | "end" | "runs">[],
  start: number,
  end: number,
): PageRectangle[] {
  const rectangles: PageRectangle[] = [];
  for (const page of pages) {
    if (page.end <= start || page.start >= end) continue;
    const from = start - page.start;
    const to = end - page.start;
    let line: PageRectangle | null = null;
    for (let i = 0; i + 5 < page.runs.length; i += 6) {
      const [at, length, x, y, width, height] = page.runs.subarray(i, i + 6) as unknown as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      if (at + length <= from || at >= to || length <= 0) continue;
      const first = Math.max(0, from - at) / length;
      const last = Math.min(length, to - at) / length;
      const piece = {
        page: page.page,
        x: x + width * first,
        y,
        width: width * (last - first),
        height,
      };
      if (line && Math.abs(line.y - piece.y) < Math.max(line.height, piece.height) * 0.5) {
        const right = Math.max(line.x + line.width, piece.x + piece.width);
        const top = Math.max(line.y + line.height, piece.y + piece.height);
        line.x = Math.min(line.x, piece.x);
        line.y = Math.min(line.y, piece.y);
        line.width = right - line.x;
        line.height = top - line.y;
      } else {
        line = piece;
        rectangles.push(line);
      }
    }
  }
  return rectangles.map((r) => ({
    page: r.page,
    x: round(r.x),
    y: round(r.y),
    width: round(r.width),
    height: round(r.height),
  }));
}

const round = (n: number): number => Math.round(n * 10) / 10;
