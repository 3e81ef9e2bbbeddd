import { searchDocumentTexts, type DocumentHit } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "./api.ts";

/** Pause in typing before the server is asked, in ms. */
const pauseMs = 250;

/** The value as of the last pause in its changes. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The server finds nothing for shorter terms. */
export const minTermLength = 3;

const documentSearchKeys = {
  term: (term: string, preferred: string | null) => ["document-search", term, preferred],
} as const;

/**
 * Places in documents that contain these words. Further typing cancels the previous request; its
 * results stay until the new ones arrive.
 */
export const documentTextsQuery = (
  term: string,
  preferred: string | null,
  limit: number,
  trace?: () => Record<string, string>,
) =>
  queryOptions({
    queryKey: documentSearchKeys.term(term, preferred),
    enabled: term.length >= minTermLength,
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        searchDocumentTexts,
        {
          searchTerm: clipText(term, 200),
          ...(preferred !== null && { preferred }),
          limit,
        },
        { signal, ...(trace && { trace: trace() }) },
      ),
  });

/** The excerpt in pieces, with the words flagged; joined, they are the excerpt again. */
export function excerptPieces({ excerpt, start, matches }: DocumentHit): {
  text: string;
  hit: boolean;
}[] {
  const pieces: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const match of matches) {
    pieces.push({ text: excerpt.slice(at, match.start - start), hit: false });
    at = match.end - start;
    pieces.push({ text: excerpt.slice(match.start - start, at), hit: true });
  }
  pieces.push({ text: excerpt.slice(at), hit: false });
  return pieces.filter(({ text }) => text !== "");
}
