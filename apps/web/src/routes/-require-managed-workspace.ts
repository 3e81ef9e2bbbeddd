import type { QueryClient } from "@tanstack/react-query";
import { redirect } from "@tanstack/react-router";
import { explainRefusal } from "../features/auth/api/auth-state.ts";
import { memberTabs } from "../features/workspace-settings/state/tabs.ts";
import { memberRightsQuery, readRights } from "../lib/current-user.ts";
import { workspacesQuery } from "../lib/workspaces.ts";

/** Admits members to the settings of workspaces they have created. Redirects others home. */
export async function requireManagedWorkspace(
  queryClient: QueryClient,
  { workspaceSlug, tab }: { workspaceSlug: string; tab: string },
): Promise<void> {
  if (readRights().manager) return;
  const [{ ownWorkspaces }, { workspaces }] = await Promise.all([
    queryClient.ensureQueryData(memberRightsQuery),
    queryClient.ensureQueryData(workspacesQuery),
  ]);
  const isOwn = workspaces.some(
    ({ id, slug }) => slug === workspaceSlug && ownWorkspaces.includes(id),
  );
  if (isOwn && memberTabs.some((each) => each === tab)) return;
  explainRefusal("manager");
  throw redirect({ to: "/" });
}
