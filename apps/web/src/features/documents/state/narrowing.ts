import type { DocumentKind } from "@carrel/contracts";

/** What a list shows: `waiting` is whatever is under way; `pinned` is known in a workspace only. */
export type Shown = "waiting" | "ready" | "failed" | "pinned";
export interface Narrowing {
  kinds: DocumentKind[];
  /** All of them. */ tags: string[];
  state: Shown | null;
  /** Only what the workspace does not hold; of the library. */ missing: boolean;
}
export const everything: Narrowing = { kinds: [], tags: [], state: null, missing: false };
export const isNarrowed = ({ kinds, tags, state, missing }: Narrowing): boolean =>
  kinds.length + tags.length > 0 || state !== null || missing;
