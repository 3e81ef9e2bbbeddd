import type { KnownFault } from "@carrel/contracts";
import type { FoundPassages } from "./question-search.ts";

/** Describes what the search had to do without. */
export const describeFallback = (
  { store, searched }: NonNullable<FoundPassages["fallback"]>,
  documentCount: number,
): KnownFault => {
  if (store === null) return { code: "notice.embedder-unreachable" };
  if (documentCount === 0) return { code: "notice.documents-wait", params: { store } };
  return searched === "text-index"
    ? { code: "notice.text-search-only", params: { store } }
    : { code: "notice.stored-text-search", params: { store } };
};
