import {
  useVirtualizer,
  type Range,
  type VirtualItem,
  type Virtualizer,
} from "@tanstack/react-virtual";
import { useState } from "react";
import {
  uniqueKeys,
  useIdentifiedRows,
  useRowSizes,
  type RowKey,
  type RowSizes,
} from "./row-sizes.ts";

export interface VirtualRows {
  /** The scrolling element. */
  box: HTMLDivElement | null;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  count: number;
  /** Typical row height in px. */
  rowHeight: number;
  /** The row in the tab order. It stays rendered when scrolled out of view, so focus isn't lost. */
  active: number;
  setActive: (index: number) => void;
  items: VirtualItem[];
  /** First and last row to load, overscan included. */
  first: number;
  last: number;
  sizes: RowSizes;
}

/** Renders only the rows in view of a list of any length. */
export function useVirtualRows(
  box: HTMLDivElement | null,
  count: number,
  rowHeight: number,
  overscan: number,
): VirtualRows {
  const [activeRow, setActive] = useState(0);
  const active = Math.min(activeRow, Math.max(0, count - 1));
  const sizes = useRowSizes();
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box,
    estimateSize: () => rowHeight,
    getItemKey: sizes.getItemKey,
    overscan,
    rangeExtractor: (range) => withActive(range, active),
  });
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: 0 };
  return {
    box,
    virtualizer,
    count,
    rowHeight,
    active,
    setActive,
    items: virtualizer.getVirtualItems(),
    first: Math.max(0, startIndex - overscan),
    last: Math.max(0, Math.min(count - 1, endIndex + overscan)),
    sizes,
  };
}

/** The rows in view, the overscan, and the active row, wherever it is. */
function withActive({ startIndex, endIndex, overscan, count }: Range, active: number): number[] {
  const first = Math.max(0, startIndex - overscan);
  const last = Math.min(count - 1, endIndex + overscan);
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active >= count || (active >= first && active <= last)) return indexes;
  return active < first ? [active, ...indexes] : [...indexes, active];
}

/** React keys of the rendered rows, by document, so that measured heights follow the documents. */
export function useRowKeys(
  { items, sizes }: VirtualRows,
  keyOf: (index: number) => RowKey,
): RowKey[] {
  const indexes = items.map((item) => item.index);
  useIdentifiedRows(sizes, keyOf, indexes);
  return uniqueKeys(indexes, keyOf);
}
