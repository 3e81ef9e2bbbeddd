import type { KnownFault } from "@carrel/contracts";
import type { FoundPassages } from "./question-search.ts";

/** Describes what the search had to do without. */
export const describeFallback = ({
  store,
  searched,
}: NonNullable<FoundPassages["fallback"]>): KnownFault => {
  if (store === null) return { code: "notice.embedder-unreachable" };
  return searched === "text-index"
    ? { code: "notice.text-search-only", params: { store } }
    : { code: "notice.stored-text-search", params: { store } };
};
