import type { DocumentKind } from "@carrel/contracts";

/** State filter: `waiting` covers everything in progress; `pinned` exists only in a workspace. */
export type StateFilter = "waiting" | "ready" | "failed" | "pinned";
export interface DocumentFilters {
  kinds: DocumentKind[];
  /** Documents must have all of them. */
  tags: string[];
  state: StateFilter | null;
  /** Only documents the workspace doesn't have yet; library only. */
  missing: boolean;
}
export const noFilters: DocumentFilters = { kinds: [], tags: [], state: null, missing: false };
export const hasFilters = ({ kinds, tags, state, missing }: DocumentFilters): boolean =>
  kinds.length + tags.length > 0 || state !== null || missing;
