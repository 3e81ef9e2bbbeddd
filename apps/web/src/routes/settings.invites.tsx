import { createFileRoute } from "@tanstack/react-router";
import { InvitesPage } from "../features/admin/components/invites-page.tsx";
import { requireTeam } from "./-guards.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/invites")({
  beforeLoad: requireTeam,
  component: () => (
    <SettingsFrame page="invites">
      <InvitesPage />
    </SettingsFrame>
  ),
});
