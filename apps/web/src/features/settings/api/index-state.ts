import {
  dropPreviousIndex,
  getIndexState,
  stopIndexBuild,
  undoIndexSwitch,
  type IndexTarget,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

/** Which index answers, which is being built, and which can be gone back to. */
export const indexStateQuery = queryOptions({
  queryKey: ["index-state"],
  staleTime: 0,
  queryFn: ({ signal }) => call(getIndexState, {}, { signal }),
});

export const refreshIndexState = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["index-state"] });

const acts = { stop: stopIndexBuild, undo: undoIndexSwitch, drop: dropPreviousIndex } as const;
export type IndexAct = keyof typeof acts;

/**
 * Stops the build, goes back to the index of before, or lets that one go; throws with the server's
 * reason. Stopping and going back change the settings too.
 */
export async function changeIndex(act: IndexAct): Promise<void> {
  try {
    await call(acts[act], {});
  } finally {
    await Promise.all([
      refreshIndexState(),
      queryClient.invalidateQueries({ queryKey: ["providers"] }),
      queryClient.invalidateQueries({ queryKey: ["setup"] }),
    ]);
  }
}

const stores: Record<string, string> = {
  lancedb: "LanceDB",
  qdrant: "Qdrant",
  chroma: "Chroma",
  chromacloud: "Chroma Cloud",
  pgvector: "PGVector",
  weaviate: "Weaviate",
  milvus: "Milvus",
  zilliz: "Zilliz",
  pinecone: "Pinecone",
  astra: "Astra DB",
};
/** "all-MiniLM-L6-v2 in LanceDB": the model without the name of its maker. */
export const modelOf = (target: IndexTarget): string =>
  target.model.split("/").at(-1) ?? target.model;
export const storeOf = (target: IndexTarget): string =>
  stores[target.vectorDatabase] ?? target.vectorDatabase;
