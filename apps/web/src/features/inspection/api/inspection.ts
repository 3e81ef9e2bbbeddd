import {
  inspectTurn,
  listRetrievalFacets,
  tryRetrieval,
  type In,
  type Inspection,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

/** How an answer came about; null where nothing is kept of it. */
export const inspectionQuery = (slug: string, chatId: number) =>
  queryOptions({
    queryKey: ["inspection", slug, chatId],
    staleTime: 0,
    queryFn: ({ signal }) => call(inspectTurn, { slug, chatId }, { signal }),
    select: (reply) => reply.inspection,
  });

/** Folders, types and tags that the documents of a workspace have. */
export const facetsQuery = (slug: string) =>
  queryOptions({
    queryKey: ["retrieval-facets", slug],
    staleTime: 0,
    queryFn: ({ signal }) => call(listRetrievalFacets, { slug }, { signal }),
  });

export type Trial = Omit<Partial<In<typeof tryRetrieval>>, "slug"> & { question: string };
/** Searches and writes nothing; throws with the server's reason. */
export const trySearch = async (
  slug: string,
  trial: Trial,
  signal: AbortSignal,
): Promise<Inspection> =>
  (
    await call(
      tryRetrieval,
      { slug, ...trial } as Parameters<typeof call<typeof tryRetrieval>>[1],
      { signal },
    )
  ).inspection;
