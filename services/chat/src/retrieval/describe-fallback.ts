import type { KnownFault } from "@carrel/contracts";
import type { FoundPassages } from "./question-search.ts";

/** Tells which store the search had to do without. */
export const describeFallback = ({
  store,
  searched,
}: NonNullable<FoundPassages["fallback"]>): KnownFault =>
  searched === "text-index"
    ? { code: "notice.text-search-only", params: { store } }
    : { code: "notice.stored-text-search", params: { store } };
