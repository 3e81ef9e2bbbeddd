import type { PageRectangle } from "@carrel/contracts";

/** In pixels of the rendered page, from its upper left corner. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Highlights on one page: the quotes strongly, the rest of the passage in a pale tint, and a bar
 * with the source's number at the edge. Without quotes the passage itself is highlighted.
 */
export function PageMarks({
  page,
  toBox,
  passage,
  quotes,
  number,
}: {
  page: number;
  toBox: (rectangle: PageRectangle) => Box;
  passage: PageRectangle[];
  quotes: PageRectangle[][];
  number: number | null;
}) {
  const onPage = (rectangles: PageRectangle[]): Box[] =>
    rectangles.filter((rectangle) => rectangle.page === page).map(toBox);
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
