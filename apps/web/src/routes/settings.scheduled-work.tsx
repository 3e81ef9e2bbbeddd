import { createFileRoute } from "@tanstack/react-router";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { AdminPage } from "../features/schedules/components/admin-page.tsx";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/scheduled-work")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="schedules">
      <AdminPage />
    </SettingsFrame>
  ),
});
