import { createFileRoute } from "@tanstack/react-router";
import { UsersPage } from "../features/admin/components/users-page.tsx";
import { requireTeam } from "./-guards.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/users")({
  beforeLoad: requireTeam,
  component: () => (
    <SettingsFrame page="users">
      <UsersPage />
    </SettingsFrame>
  ),
});
