import {
  inspectTurn,
  listRetrievalFacets,
  tryRetrieval,
  type Args,
  type In,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "../../../lib/api.ts";

const inspectionKeys = {
  turn: (slug: string, chatId: number) => ["inspection", slug, chatId],
  facets: (slug: string) => ["retrieval-facets", slug],
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
