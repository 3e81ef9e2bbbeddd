import { createFileRoute, redirect } from "@tanstack/react-router";
import { requireSession } from "../features/auth/api/auth-state.ts";
import { isWorkspaceTab } from "../features/workspace-settings/state/tabs.ts";
import { requireManagedWorkspace, requireWorkspace } from "./-guards.ts";
import { WorkspaceSettingsScreen } from "./-workspace-settings-screen.tsx";

/** Every role but default, and members in workspaces they have created. */
export const Route = createFileRoute("/_app/workspace/$workspaceSlug/settings/$tab")({
  beforeLoad: async (place) => {
    await requireSession(place);
    await requireManagedWorkspace(place.context.queryClient, place.params);
    if (!isWorkspaceTab(place.params.tab))
      throw redirect({
        to: "/workspace/$workspaceSlug/settings/$tab",
        params: { ...place.params, tab: "general-appearance" },
        replace: true,
      });
  },
  loader: ({ context, params }) => requireWorkspace(context.queryClient, params.workspaceSlug),
  component: function WorkspaceSettings() {
    const { workspaceSlug, tab } = Route.useParams();
    return isWorkspaceTab(tab) ? (
      <WorkspaceSettingsScreen key={`${workspaceSlug}/${tab}`} slug={workspaceSlug} tab={tab} />
    ) : null;
  },
});
