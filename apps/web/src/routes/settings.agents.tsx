import { createFileRoute } from "@tanstack/react-router";
import { lazy } from "react";
import { AgentsPage } from "../features/agents/components/agents-page.tsx";
import { readSkillSearch } from "../features/agents/state/skills.ts";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { describeFault, loadFaultTexts, parseFault } from "../lib/fault.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

const FlowsPanel = lazy(() => import("../features/flows/components/flows-panel.tsx"));

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
    const { skill, view } = Route.useSearch();
    const outcome = Route.useLoaderData();
    return (
      <SettingsFrame page="agents">
        <AgentsPage
          skill={skill}
          flows={view === "flows" ? (back) => <FlowsPanel back={back} /> : null}
          outcome={outcome}
        />
      </SettingsFrame>
    );
  },
});
