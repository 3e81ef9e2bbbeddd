import { getMemberRights } from "@carrel/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./api.ts";
import { useRights } from "./current-user.ts";
import { instanceKeys } from "./query-keys.ts";

/** What admins allow the signed-in member; asked for members only. */
export const memberRightsQuery = queryOptions({
  queryKey: instanceKeys.memberRights,
  queryFn: ({ signal }) => call(getMemberRights, {}, { signal }),
});

/** What the user may do with workspaces; nothing beyond asking until it is known. */
export interface WorkspaceRights {
  /** Until then, nothing is allowed, and nothing said to be closed. */
  isKnown: boolean;
  creates: boolean;
  /** Settings, documents, renaming and deleting. */
  manages: (workspaceId: number | undefined) => boolean;
  /** Adding documents. */
  uploads: (workspaceId: number | undefined) => boolean;
}

/** Managers may do everything; members what admins allow, and everything in their own workspaces. */
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
