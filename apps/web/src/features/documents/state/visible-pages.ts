import { useQueries, type UseQueryOptions } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
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
