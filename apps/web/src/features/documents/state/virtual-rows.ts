import { useQueries, type UseQueryOptions } from "@tanstack/react-query";
import {
  useVirtualizer,
  type Range,
  type VirtualItem,
  type Virtualizer,
} from "@tanstack/react-virtual";
import {
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";
import { queryClient } from "../../../lib/query-client.ts";
import { pageSize, type Page } from "../api/library.ts";

/** A server-side list of which only the pages in view are loaded. `key` identifies the list. */
export interface PagedList<T> {
  key: string;
  page: (
    page: number,
  ) => { queryKey: readonly unknown[]; queryFn: unknown; gcTime: number } & { __of?: T };
}
/** The rows wanted from a list; `last` is inclusive. */
export interface RowRange<T> {
  list: PagedList<T>;
  first: number;
  last: number;
}

/**
 * Debounce in ms: dragging the scroll bar passes thousands of rows, so fetch only where it stops.
 */
const debounceMs = 70;

export interface VisiblePages<T> {
  /** null while loading. */
  at: (key: string, index: number) => T | null;
  /** Total rows of a list; null until a page is loaded. */
  total: (key: string) => number | null;
  /** Any loaded page of a list, for fields that every page carries. */
  first: <More>(key: string) => (Page<T> & More) | null;
  pending: boolean;
  error: Error | null;
  retry: () => void;
}

interface PageRequest<T> {
  key: string;
  page: number;
  list: PagedList<T>;
}
const pagesOf = <T>(ranges: readonly RowRange<T>[]): PageRequest<T>[] => {
  const pages = new Map<string, PageRequest<T>>();
  for (const { list, first, last } of ranges)
    for (
      let page = Math.floor(Math.max(0, first) / pageSize);
      page <= Math.floor(Math.max(0, last) / pageSize);
      page += 1
    )
      pages.set(`${list.key}\n${page}`, { key: list.key, page, list });
  return [...pages.values()];
};

/** Fetches the pages that contain the given rows and drops those long out of view. */
export function useVisiblePages<T>(ranges: readonly RowRange<T>[]): VisiblePages<T> {
  const now = pagesOf(ranges);
  const name = now.map(({ key, page }) => `${key}\n${page}`).join("\n\n");
  const [settled, setSettled] = useState({ name, pages: now });
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  const lists = now.map((each) => each.key).join("\n");
  const settledLists = settled.pages.map((each) => each.key).join("\n");
  useEffect(() => {
    if (name === settled.name) return;
    // Switch immediately to another list; within the same one, wait until scrolling stops.
    const timer = setTimeout(
      () => setSettled({ name, pages: latest.current }),
      lists === settledLists ? debounceMs : 0,
    );
    return () => clearTimeout(timer);
  }, [name, lists, settledLists, settled.name]);
  const results = useQueries({
    queries: settled.pages.map(({ list, page }) => list.page(page) as UseQueryOptions<Page<T>>),
  });
  const loadedPage = (key: string, page: number): Page<T> | undefined => {
    const index = settled.pages.findIndex((each) => each.key === key && each.page === page);
    if (index >= 0) return results[index]?.data;
    const other = now.find((each) => each.key === key);
    return other ? queryClient.getQueryData<Page<T>>(other.list.page(page).queryKey) : undefined;
  };
  const first = (key: string): Page<T> | null => {
    for (let index = 0; index < settled.pages.length; index += 1) {
      const data = settled.pages[index]?.key === key ? results[index]?.data : undefined;
      if (data) return data;
    }
    return null;
  };
  return {
    at: (key, index) =>
      loadedPage(key, Math.floor(index / pageSize))?.documents[index % pageSize] ?? null,
    total: (key) => first(key)?.total ?? null,
    first: <More>(key: string) => first(key) as (Page<T> & More) | null,
    pending: results.some((result) => result.isPending),
    error: results.find((result) => result.error)?.error ?? null,
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

/** Rows `first` to `last` of a list, from the cache where possible. */
export async function fetchRows<T>(list: PagedList<T>, first: number, last: number): Promise<T[]> {
  const rows: T[] = [];
  for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) {
    const { documents } = await queryClient.fetchQuery({
      ...(list.page(page) as UseQueryOptions<Page<T>> & { queryKey: readonly unknown[] }),
      staleTime: 5000,
    });
    rows.push(...documents.slice(Math.max(0, first - page * pageSize), last - page * pageSize + 1));
  }
  return rows;
}

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
