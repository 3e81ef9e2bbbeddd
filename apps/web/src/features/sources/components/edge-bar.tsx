import { useLayoutEffect, useRef, useState } from "react";

/**
 * The bar and source number next to the highlighted lines. `of` is the text; when it changes, the
 * lines may have moved.
 */
export function EdgeBar({ of, number }: { of: unknown; number: number | null }) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [bars, setBars] = useState<{ top: number; height: number }[]>([]);
  useLayoutEffect(() => {
    const paper = anchor.current?.parentElement;
    if (!paper) return;
    const measure = (): void => {
      const above = paper.getBoundingClientRect().top;
      const next: { top: number; height: number }[] = [];
      for (const mark of paper.querySelectorAll(".text-hit")) {
        const { top, height } = mark.getBoundingClientRect();
        const last = next.at(-1);
        if (last && top - above <= last.top + last.height)
          last.height = Math.max(last.height, top - above + height - last.top);
        else next.push({ top: top - above, height });
      }
      setBars((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(paper);
    return () => observer.disconnect();
  }, [of]);
  return (
    <span ref={anchor} aria-hidden="true">
      {number !== null &&
        bars.map((bar, index) => (
          <span
            key={index}
            className="edge-bar"
            style={{ insetInlineStart: 27, top: bar.top, height: bar.height }}
          >
            <b>{number}</b>
          </span>
        ))}
    </span>
  );
}
