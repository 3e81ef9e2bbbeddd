import type { PageRectangle } from "@carrel/contracts";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useCallback, useEffect, useState, type ReactNode, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { pageArea } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { ZoomControls, pageFooter } from "./page-parts.tsx";

/** Space between pages, in pixels. */
const gap = 12;

/**
 * Which page of a scrolling column of `[data-page]` elements is being read, and how to go to
 * another.
 */
export function usePagePosition(box: RefObject<HTMLElement | null>, first: number) {
  const [shown, setShown] = useState(first);
  /** `within`: share of the page's height above the place to show. */
  const goTo = useCallback(
    (wanted: number, within = 0) => {
      const area = box.current;
      const target = area?.querySelector<HTMLElement>(`[data-page="${wanted}"]`);
      if (!area || !target) return;
      const above = Math.max(0, within * target.offsetHeight - area.clientHeight / 3);
      area.scrollTo({ top: target.offsetTop - gap + above });
    },
    [box],
  );
  const onScroll = (): void => {
    const area = box.current;
    if (!area) return;
    const pages = [...area.querySelectorAll<HTMLElement>("[data-page]")];
    const middle = area.scrollTop + area.clientHeight / 3;
    // The last page may be too short to reach the middle.
    const isAtEnd = area.scrollTop + area.clientHeight >= area.scrollHeight - 1;
    const current = isAtEnd ? pages.at(-1) : pages.findLast((page) => page.offsetTop <= middle);
    setShown(Number(current?.dataset.page ?? 1));
  };
  return { shown, goTo, onScroll };
}

/** The pages of a document stacked vertically, and the bar to page through and zoom them. */
export function PageColumn({
  box,
  position,
  pages,
  isBusy,
  zoom,
  onZoom,
  children,
}: {
  /** The scrolling element. */
  box: RefObject<HTMLDivElement | null>;
  position: ReturnType<typeof usePagePosition>;
  /** 0 while unknown. */
  pages: number;
  isBusy: boolean;
  zoom: number;
  onZoom: (zoom: number) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("sources");
  const { shown, goTo, onScroll } = position;
  return (
    <>
      <div
        className={cn(pageArea, "relative grid content-start justify-items-center gap-3")}
        ref={box}
        onScroll={onScroll}
        role="region"
        aria-label={t("pageOf", { page: shown, pages })}
        tabIndex={0}
        aria-busy={isBusy}
      >
        {children}
      </div>
      <PageFooter shown={shown} pages={pages} goTo={goTo} zoom={zoom} onZoom={onZoom} />
    </>
  );
}

/** The bar below a column of pages. */
function PageFooter({
  shown,
  pages,
  goTo,
  zoom,
  onZoom,
}: {
  shown: number;
  /** 0 while unknown. */
  pages: number;
  goTo: (page: number) => void;
  zoom: number;
  onZoom: (zoom: number) => void;
}) {
  const { t } = useTranslation("sources");
  return (
    <footer className={pageFooter}>
      <IconButton label={t("previousPage")} disabled={shown <= 1} onClick={() => goTo(shown - 1)}>
        <ChevronLeft className="rtl:-scale-x-100" />
      </IconButton>
      <span className="tabular-nums" dir="ltr">
        {shown} / {pages || "–"}
      </span>
      <IconButton label={t("nextPage")} disabled={shown >= pages} onClick={() => goTo(shown + 1)}>
        <ChevronRight className="rtl:-scale-x-100" />
      </IconButton>
      <span className="min-w-0 flex-1" />
      <ZoomControls zoom={zoom} onZoom={onZoom} />
    </footer>
  );
}

/** The width of an element without its padding; 0 until it is `shown`. */
export function useInnerWidth(box: RefObject<HTMLElement | null>, shown: boolean): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const area = box.current;
    if (!area || !shown) return;
    const observer = new ResizeObserver(() =>
      setWidth(
        Math.max(
          0,
          area.clientWidth - Number.parseFloat(getComputedStyle(area).paddingInlineStart) * 2,
        ),
      ),
    );
    observer.observe(area);
    return () => observer.disconnect();
  }, [box, shown]);
  return width;
}

/** Whether an element of a scrolling area is in view, or within 800 pixels of it. */
export function useIsNear(
  element: RefObject<HTMLElement | null>,
  area: RefObject<HTMLElement | null>,
): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => setIsNear(entry?.isIntersecting ?? false),
      { root: area.current, rootMargin: "800px 0px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, area]);
  return isNear;
}

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
