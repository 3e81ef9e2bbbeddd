import { getSearchState, type Out } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { documentKeys } from "./query-keys.ts";

type SearchState = Out<typeof getSearchState>;

/** Refreshed with the counts of documents. */
export const searchStateQuery = (slug: string) =>
  queryOptions({
    queryKey: documentKeys.searchState(slug),
    staleTime: 10_000,
    retry: false,
    queryFn: ({ signal }) => call(getSearchState, { slug }, { signal }),
  });

/** The line that says it; null for a workspace without documents. */
export function describeSearch({
  documents,
  embedded,
  embedder,
}: SearchState):
  | "complete"
  | "partly"
  | "missing"
  | "downloading"
  | "failed"
  | "off"
  | "unset"
  | null {
  if (documents === 0) return null;
  if (embedder.state === "ready") return embedded < documents ? "partly" : "complete";
  if (embedder.state !== "missing") return embedder.state;
  return embedder.fault?.code === "embedder.download-failed" ? "failed" : "missing";
}
