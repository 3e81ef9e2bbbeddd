import { useCallback, useState, type RefObject } from "react";

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
