import type { PageRectangle } from "@carrel/contracts";
import type { PageViewport } from "pdfjs-dist";

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Converts a rectangle in page points, from the lower left, to pixels of the rendered page. */
function boxOf(viewport: PageViewport, { x, y, width, height }: PageRectangle): Box {
  const [x1, y1] = viewport.convertToViewportPoint(x, y) as [number, number];
  const [x2, y2] = viewport.convertToViewportPoint(x + width, y + height) as [number, number];
  return {
    left: Math.min(x1, x2) - 1,
    top: Math.min(y1, y2) - 1,
    width: Math.abs(x2 - x1) + 2,
    height: Math.abs(y2 - y1) + 2,
  };
}

/**
 * Highlights on one page: the quotes strongly, the rest of the passage in a pale tint, and a bar
 * with the source's number at the edge. Without quotes the passage itself is highlighted.
 */
export function PdfMarks({
  page,
  viewport,
  passage,
  quotes,
  number,
}: {
  page: number;
  viewport: PageViewport;
  passage: PageRectangle[];
  quotes: PageRectangle[][];
  number: number | null;
}) {
  const onPage = (rectangles: PageRectangle[]): Box[] =>
    rectangles
      .filter((rectangle) => rectangle.page === page)
      .map((rectangle) => boxOf(viewport, rectangle));
  const around = onPage(passage);
  const groups = quotes.length > 0 ? quotes.map(onPage) : [around];
  const left = Math.max(14, Math.min(...[...around, ...groups.flat()].map((box) => box.left)) - 12);
  return (
    <>
      {quotes.length > 0 &&
        around.map((box, index) => <span key={index} className="pdf-passage" style={box} />)}
      {groups.map((boxes, group) => {
        if (boxes.length === 0) return null;
        const top = Math.min(...boxes.map((box) => box.top));
        const bottom = Math.max(...boxes.map((box) => box.top + box.height));
        return (
          <span key={group}>
            {boxes.map((box, index) => (
              <span key={index} className="pdf-mark" style={box} />
            ))}
            {number !== null && (
              <span
                className="edge-bar"
                aria-hidden="true"
                style={{ left, top, height: bottom - top }}
              >
                <b>{number}</b>
              </span>
            )}
          </span>
        );
      })}
    </>
  );
}
