import { createFileRoute } from "@tanstack/react-router";
import { AgentsPage } from "../features/agents/components/agents-page.tsx";
import { readSkillSearch } from "../features/agents/state/skills.ts";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/agents")({
  validateSearch: readSkillSearch,
  beforeLoad: requireAdmin,
  component: function Agents() {
    const { skill } = Route.useSearch();
    return (
      <SettingsFrame page="agents">
        <AgentsPage skill={skill} />
      </SettingsFrame>
    );
  },
});
