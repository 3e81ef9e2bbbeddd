import { createFileRoute, notFound, redirect } from "@tanstack/react-router";
import { requireManager } from "../features/auth/api/guards.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { isWorkspaceTab } from "../features/workspace-settings/state/tabs.ts";
import { queryClient } from "../lib/query-client.ts";
import { WorkspaceSettingsScreen } from "./-workspace-settings-screen.tsx";

/** Every role but default. */
export const Route = createFileRoute("/_app/workspace/$workspaceSlug/settings/$tab")({
  beforeLoad: async (place) => {
    await requireManager(place);
    if (!isWorkspaceTab(place.params.tab))
      throw redirect({
        to: "/workspace/$workspaceSlug/settings/$tab",
        params: { ...place.params, tab: "general-appearance" },
        replace: true,
      });
  },
  loader: async ({ params }) => {
    const isThere = ({ workspaces }: { workspaces: { slug: string }[] }): boolean =>
      workspaces.some(({ slug }) => slug === params.workspaceSlug);
    if (
      !isThere(await queryClient.ensureQueryData(workspacesQuery)) &&
      !isThere(await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 }))
    )
      throw notFound();
  },
  component: function WorkspaceSettings() {
    const { workspaceSlug, tab } = Route.useParams();
    return isWorkspaceTab(tab) ? (
      <WorkspaceSettingsScreen key={`${workspaceSlug}/${tab}`} slug={workspaceSlug} tab={tab} />
    ) : null;
  },
});
