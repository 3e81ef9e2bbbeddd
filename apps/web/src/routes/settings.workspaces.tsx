import { createFileRoute } from "@tanstack/react-router";
import { WorkspacesPage } from "../features/admin/components/workspaces-page.tsx";
import { requireTeam } from "./-guards.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/workspaces")({
  beforeLoad: requireTeam,
  component: () => (
    <SettingsFrame page="workspaces">
      <WorkspacesPage />
    </SettingsFrame>
  ),
});
