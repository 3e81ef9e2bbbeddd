import {
  useVirtualizer,
  type Range,
  type VirtualItem,
  type Virtualizer,
} from "@tanstack/react-virtual";
import {
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";

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

export type RowKey = string | number;
interface RowSizes {
  /** For the virtualizer. */
  getItemKey: (index: number) => RowKey;
  identifyRef: RefObject<(index: number) => RowKey>;
  layOut: () => void;
}

/**
 * Row heights are cached per document rather than per index: a document inserted above shifts the
 * tall row of a failed one. The virtualizer lays out every row again, all 100,000, whenever
 * `getItemKey` changes identity, so that happens only when visible rows have moved
 * (`useIdentifiedRows`).
 */
function useRowSizes(): RowSizes {
  const identifyRef = useRef<(index: number) => RowKey>((index) => index);
  const [revision, setRevision] = useState(0);
  return useMemo(
    () => ({
      getItemKey: (index) => identifyRef.current(index),
      identifyRef,
      layOut: () => setRevision(revision + 1),
    }),
    [revision],
  );
}

/** Records on each render which documents the visible rows show. */
function useIdentifiedRows(
  { identifyRef, layOut }: RowSizes,
  keyOf: (index: number) => RowKey,
  visible: readonly number[],
): void {
  const known = useRef<ReadonlyMap<number, RowKey>>(new Map());
  // Before the layout effects: rows are measured when their refs are set.
  useInsertionEffect(() => {
    identifyRef.current = keyOf;
  });
  useLayoutEffect(() => {
    const rows = new Map(visible.map((index) => [index, keyOf(index)]));
    const moved = [...rows].some(
      ([index, key]) => known.current.has(index) && known.current.get(index) !== key,
    );
    known.current = rows;
    if (moved) layOut();
  });
}

/** React keys for the rows: during a refetch a document may briefly appear twice. */
function uniqueKeys(indexes: readonly number[], keyOf: (index: number) => RowKey): RowKey[] {
  const used = new Set<RowKey>();
  return indexes.map((index) => {
    const key = keyOf(index);
    if (used.has(key)) return `again ${index}`;
    used.add(key);
    return key;
  });
}
