import { createFileRoute } from "@tanstack/react-router";
import { AgentsPage } from "../features/agents/components/agents-page.tsx";
import { readSkillSearch } from "../features/agents/state/skills.ts";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { describeFault, loadFaultTexts, parseFault } from "../lib/fault.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

const CredentialsPanel = lazyPart(
  () => import("../features/flows/components/credentials-panel.tsx"),
);
const FlowsPanel = lazyPart(() => import("../features/flows/components/flows-panel.tsx"));
const PluginsPanel = lazyPart(() => import("../features/plugins/components/plugins-panel.tsx"));

export const Route = createFileRoute("/settings/agents")({
  validateSearch: readSkillSearch,
  beforeLoad: requireAdmin,
  loaderDeps: ({ search }) => search,
  // A sign-in to Outlook ends here (`outlook.routes.ts`).
  loader: async ({ deps: { connected = null, fault } }) => {
    if (fault === undefined) return { connected, problem: null };
    await loadFaultTexts();
    return { connected, problem: describeFault(parseFault(fault), 401) };
  },
  component: function Agents() {
    const { skill, view, plugin } = Route.useSearch();
    const outcome = Route.useLoaderData();
    return (
      <SettingsFrame page="agents">
        <AgentsPage
          skill={skill}
          view={
            view === undefined
              ? null
              : {
                  name: view,
                  draw: (back) =>
                    view === "flows" ? (
                      <FlowsPanel back={back} />
                    ) : view === "plugins" ? (
                      <PluginsPanel back={back} plugin={plugin} />
                    ) : (
                      <CredentialsPanel back={back} />
                    ),
                }
          }
          outcome={outcome}
        />
      </SettingsFrame>
    );
  },
});
