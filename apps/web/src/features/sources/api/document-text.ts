import { getDocumentText, getLibraryDocumentText } from "@carrel/contracts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

/**
 * What the panel shows: a passage of an answer, or a document from its beginning (`start` = `end`).
 */
export interface Place {
  documentId: string;
  start: number;
  end: number;
}

/** Characters loaded on either side of a passage, and again when scrolling reaches an end. */
const around = 4000;

/** The workspace through which a document is read; null: the library, for its managers. */
export type DocumentScope = string | null;

export const readText = (
  slug: DocumentScope,
  range: { documentId: string; start: number; end: number; markStart?: number; markEnd?: number },
  signal?: AbortSignal,
) =>
  slug === null
    ? call(getLibraryDocumentText, range, signal ? { signal } : {})
    : call(getDocumentText, { slug, ...range }, signal ? { signal } : {});
const textOf = (
  slug: DocumentScope,
  place: Place,
  start: number,
  end: number,
  signal?: AbortSignal,
) =>
  readText(
    slug,
    {
      documentId: place.documentId,
      start,
      end,
      ...(place.end > place.start ? { markStart: place.start, markEnd: place.end } : {}),
    },
    signal,
  );

const documentTextKeys = {
  place: (slug: DocumentScope, { documentId, start, end }: Place) => [
    "document-place",
    slug,
    documentId,
    start,
    end,
  ],
  range: (slug: DocumentScope, { documentId, start, end }: Place) => [
    "document-range",
    slug,
    documentId,
    start,
    end,
  ],
  text: (slug: DocumentScope, { documentId, start, end }: Place) => [
    "document-text",
    slug,
    documentId,
    start,
    end,
  ],
} as const;

/** Name, type, page, lines and rectangles of a place, with the text around it. */
export const placeQuery = (slug: DocumentScope, place: Place) =>
  queryOptions({
    queryKey: documentTextKeys.place(slug, place),
    queryFn: ({ signal }) =>
      textOf(slug, place, Math.max(0, place.start - around), place.end + around, signal),
    staleTime: Infinity,
  });

/** Page and rectangles of a range of a document. */
export const rangeQuery = (
  slug: DocumentScope,
  documentId: string,
  { start, end }: { start: number; end: number },
) =>
  queryOptions({
    queryKey: documentTextKeys.range(slug, { documentId, start, end }),
    queryFn: ({ signal }) => textOf(slug, { documentId, start, end }, start, start + 1, signal),
    select: ({ page, rectangles }) => ({ page, rectangles }),
    staleTime: Infinity,
  });

type Page = Awaited<ReturnType<typeof textOf>>;

/** The text around a place, extended at both ends. */
export const textQuery = (slug: DocumentScope, place: Place) =>
  infiniteQueryOptions({
    queryKey: documentTextKeys.text(slug, place),
    queryFn: ({ pageParam, signal }) => textOf(slug, place, pageParam.start, pageParam.end, signal),
    initialPageParam: { start: Math.max(0, place.start - around), end: place.end + around },
    getPreviousPageParam: (first: Page) =>
      first.start > 0 ? { start: Math.max(0, first.start - around), end: first.start } : undefined,
    getNextPageParam: (last: Page) =>
      last.end < last.length && last.end > last.start
        ? { start: last.end, end: Math.min(last.length, last.end + around) }
        : undefined,
    staleTime: Infinity,
  });
