/**
 * Whose turn work on a document is: its uploader's, or without accounts its workspace's. People, and
 * workspaces, take turns, so that one's many or slow files don't delay another's few.
 */
export const ownerOf = (userId: number | null, workspaceId: number | null): string =>
  userId !== null ? `person ${userId}` : `workspace ${workspaceId ?? "library"}`;
