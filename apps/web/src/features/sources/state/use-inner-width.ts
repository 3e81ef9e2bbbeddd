import { useEffect, useState, type RefObject } from "react";

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
