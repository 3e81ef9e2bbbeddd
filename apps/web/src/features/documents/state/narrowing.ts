import type { DocumentKind } from "@carrel/contracts";

/** State filter: `waiting` covers everything in progress; `pinned` exists only in a workspace. */
export type Shown = "waiting" | "ready" | "failed" | "pinned";
export interface Narrowing {
  kinds: DocumentKind[];
  /** Documents must have all of them. */
  tags: string[];
  state: Shown | null;
  /** Only documents the workspace doesn't have yet; library only. */
  missing: boolean;
}
export const everything: Narrowing = { kinds: [], tags: [], state: null, missing: false };
export const isNarrowed = ({ kinds, tags, state, missing }: Narrowing): boolean =>
  kinds.length + tags.length > 0 || state !== null || missing;
