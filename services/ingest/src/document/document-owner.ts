/**
 * Who a document's work counts towards when people take turns: whoever uploaded it or, without
 * accounts, its workspace. One person's many or slow files then don't delay another's few.
 */
export const ownerOf = (userId: number | null, workspaceId: number | null): string =>
  userId !== null ? `person ${userId}` : `workspace ${workspaceId ?? "library"}`;
