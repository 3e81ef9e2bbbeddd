import { getMemberRights } from "@carrel/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./api.ts";
import { useRights } from "./current-user.ts";
import { instanceKeys } from "./query-keys.ts";

/** What admins allow the signed-in member; only requested for members. */
export const memberRightsQuery = queryOptions({
  queryKey: instanceKeys.memberRights,
  queryFn: ({ signal }) => call(getMemberRights, {}, { signal }),
});

/** What the user may do with workspaces; until that is known, only ask questions. */
export interface WorkspaceRights {
  /** Until then, nothing is allowed, but nothing is shown as unavailable. */
  isKnown: boolean;
  creates: boolean;
  /** May change settings, manage documents, and rename and delete workspaces. */
  manages: (workspaceId: number | undefined) => boolean;
  /** May add documents. */
  uploads: (workspaceId: number | undefined) => boolean;
}

/**
 * Managers may do everything; members may do what admins allow, and everything in their own
 * workspaces.
 */
export function useWorkspaceRights(): WorkspaceRights {
  const { manager } = useRights();
  const allowed = useQuery({ ...memberRightsQuery, enabled: !manager }).data;
  const manages = (workspaceId: number | undefined): boolean =>
    manager || (workspaceId !== undefined && allowed?.ownWorkspaces.includes(workspaceId) === true);
  return {
    isKnown: manager || allowed !== undefined,
    creates: manager || allowed?.rights.includes("createWorkspaces") === true,
    manages,
    uploads: (workspaceId) =>
      manages(workspaceId) || allowed?.rights.includes("uploadDocuments") === true,
  };
}
