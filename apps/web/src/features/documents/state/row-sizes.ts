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
  /** For the virtualizer. */ getItemKey: (index: number) => RowKey;
  identifyRef: RefObject<(index: number) => RowKey>;
  layOut: () => void;
}

/**
 * The measured height of a row belongs to what it shows, not to its place: a document that comes in
 * above moves the tall row
 * of a failed one on. The virtualizer lays out all rows anew, each of 100,000, when `getItemKey` is
 * another function: it
 * becomes one only when what is in sight has moved (`useIdentifiedRows`).
 */
export function useRowSizes(): RowSizes {
  const identifyRef = useRef<(index: number) => RowKey>((index) => index);
  const [round, setRound] = useState(0);
  return useMemo(
    () => ({
      getItemKey: (index) => identifyRef.current(index),
      identifyRef,
      layOut: () => setRound(round + 1),
    }),
    [round],
  );
}

/** Tells with each drawing what the rows in sight are. */
export function useIdentifiedRows(
  { identifyRef, layOut }: RowSizes,
  now: (index: number) => RowKey,
  inSight: readonly number[],
): void {
  const known = useRef<ReadonlyMap<number, RowKey>>(new Map());
  // Before the layout effects: rows are measured when their refs are set.
  useInsertionEffect(() => {
    identifyRef.current = now;
  });
  useLayoutEffect(() => {
    const rows = new Map(inSight.map((index) => [index, now(index)]));
    const moved = [...rows].some(
      ([index, key]) => known.current.has(index) && known.current.get(index) !== key,
    );
    known.current = rows;
    if (moved) layOut();
  });
}

/**
 * Keys for drawing: while a page is fetched anew a document may stand in two places for a moment.
 */
export function drawnKeys(indexes: readonly number[], keyOf: (index: number) => RowKey): RowKey[] {
  const used = new Set<RowKey>();
  return indexes.map((index) => {
    const key = keyOf(index);
    if (used.has(key)) return `again ${index}`;
    used.add(key);
    return key;
  });
}
