import {
  getDocumentText,
  inspectTurn,
  listRetrievalFacets,
  tryRetrieval,
  type Args,
  type In,
  type InspectedCandidate,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "../../../lib/api.ts";

const inspectionKeys = {
  turn: (slug: string, chatId: number) => ["inspection", slug, chatId],
  facets: (slug: string) => ["retrieval-facets", slug],
  excerpt: (slug: string, ...place: (string | number)[]) => ["retrieval-excerpt", slug, ...place],
} as const;

/** How an answer was produced; null if no record was kept. */
export const inspectionQuery = (slug: string, chatId: number) =>
  queryOptions({
    queryKey: inspectionKeys.turn(slug, chatId),
    staleTime: 0,
    queryFn: ({ signal }) => call(inspectTurn, { slug, chatId }, { signal }),
    select: (reply) => reply.inspection,
  });

/** The folders, types and tags of a workspace's documents. */
export const facetsQuery = (slug: string) =>
  queryOptions({
    queryKey: inspectionKeys.facets(slug),
    staleTime: 0,
    queryFn: ({ signal }) => call(listRetrievalFacets, { slug }, { signal }),
  });

const excerptCharacters = 300;

/** The beginning of a candidate that came without it. */
export const excerptQuery = (
  slug: string,
  { documentId, start, end: last }: Pick<InspectedCandidate, "documentId" | "start" | "end">,
) => {
  const end = Math.min(last, start + excerptCharacters);
  return queryOptions({
    queryKey: inspectionKeys.excerpt(slug, documentId, start, end),
    queryFn: ({ signal }) => call(getDocumentText, { slug, documentId, start, end }, { signal }),
    select: ({ text }) => text,
  });
};

export type Trial = Omit<Partial<In<typeof tryRetrieval>>, "slug"> & { question: string };

/**
 * Runs a search without generating an answer. A newer trial or unmounting aborts the previous one.
 */
export function useTryRetrieval(slug: string) {
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return useMutation({
    mutationFn: async (trial: Trial) => {
      running.current?.abort();
      running.current = new AbortController();
      const input = { slug, ...trial } as Args<typeof tryRetrieval>;
      return (await call(tryRetrieval, input, { signal: running.current.signal })).inspection;
    },
    meta: { errorToast: false },
  });
}
