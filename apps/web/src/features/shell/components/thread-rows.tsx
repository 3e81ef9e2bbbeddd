import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { keyOfItem, type ThreadListItem } from "../state/thread-groups.ts";

/** Row height on wide screens; phones and large font sizes are measured. */
const rowHeight = 30;
const overscan = 8;

/**
 * A long list of threads, under headings, of which only the rows in view are rendered. The scroll
 * container is the sidebar's, with other workspaces above and below; `inView` is scrolled into view
 * when it changes.
 */
export default function ThreadRows({
  items,
  inView,
  renderItem,
}: {
  items: ThreadListItem[];
  inView: number;
  renderItem: (item: ThreadListItem) => ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState<number | null>(null);
  const scroller = useCallback(
    (): HTMLElement | null => box.current?.closest<HTMLElement>("nav") ?? null,
    [],
  );
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: scroller,
    estimateSize: () => rowHeight,
    getItemKey: (index) => (items[index] ? keyOfItem(items[index]) : index),
    overscan,
    gap: 1,
    scrollMargin: margin ?? 0,
  });
  const measure = useCallback((): void => {
    const outer = scroller();
    if (outer && box.current)
      setMargin(
        Math.round(
          box.current.getBoundingClientRect().top -
            outer.getBoundingClientRect().top +
            outer.scrollTop,
        ),
      );
  }, [scroller]);
  useLayoutEffect(measure); // rows above may have moved
  useEffect(() => {
    const list = box.current?.closest("ul");
    if (!list) return;
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, [measure]);
  const measured = margin !== null;
  useEffect(() => {
    const row = virtual.measurementsCache[inView];
    const outer = scroller();
    if (!measured || !row || !outer) return;
    if (row.start < outer.scrollTop || row.end > outer.scrollTop + outer.clientHeight)
      virtual.scrollToIndex(inView, { align: "center" });
  }, [inView, measured, virtual, scroller]);
  const rendered = virtual.getVirtualItems();
  return (
    <div
      className="relative"
      data-thread-rows
      ref={box}
      style={{ blockSize: virtual.getTotalSize() }}
    >
      <div
        className="absolute inset-x-0 grid gap-px"
        style={{ insetBlockStart: (rendered[0]?.start ?? margin ?? 0) - (margin ?? 0) }}
      >
        {rendered.map(({ index, key }) => {
          const item = items[index];
          return (
            item && (
              <div key={key} data-index={index} ref={virtual.measureElement}>
                {renderItem(item)}
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
