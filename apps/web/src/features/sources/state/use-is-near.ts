import { useEffect, useState, type RefObject } from "react";

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
