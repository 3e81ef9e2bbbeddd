import { listDocumentStatuses, searchEverything } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { minTermLength } from "../../../lib/document-search.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { startTrace } from "../../../lib/trace.ts";

export { minTermLength };

/** Within this time, requests for a term count as one search. */
const searchMs = 1_000;
let last: { term: string; at: number; trace: Record<string, string> } | undefined;
/** One trace for all searches of a term. */
export function traceOf(term: string): Record<string, string> {
  const at = performance.now();
  if (last?.term !== term || at - last.at > searchMs) last = { term, at, trace: startTrace() };
  return last.trace;
}

/**
 * Workspaces, threads and messages that match the words. Further typing cancels the previous
 * request; its results stay until the new ones arrive.
 */
const searchKeys = { term: (term: string) => ["search", term] } as const;

export const searchQuery = (term: string) =>
  queryOptions({
    queryKey: searchKeys.term(term),
    enabled: term.length >= minTermLength,
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(searchEverything, { searchTerm: clipText(term, 200) }, { signal, trace: traceOf(term) }),
  });

const mostDocuments = 6;

/** Documents of the workspace whose names match. */
export const documentSearchQuery = (slug: string | null, term: string) =>
  queryOptions({
    queryKey: documentKeys.named(slug ?? "", term),
    enabled: slug !== null && term.length >= minTermLength,
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        listDocumentStatuses,
        { slug: slug ?? "", search: clipText(term, 200), limit: mostDocuments, sort: "title" },
        { signal, trace: traceOf(term) },
      ),
  });
