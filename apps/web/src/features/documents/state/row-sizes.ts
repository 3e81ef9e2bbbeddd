import {
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";

export type RowKey = string | number;
export interface RowSizes {
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
export function useRowSizes(): RowSizes {
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
export function useIdentifiedRows(
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
export function uniqueKeys(indexes: readonly number[], keyOf: (index: number) => RowKey): RowKey[] {
  const used = new Set<RowKey>();
  return indexes.map((index) => {
    const key = keyOf(index);
    if (used.has(key)) return `again ${index}`;
    used.add(key);
    return key;
  });
}
