import { createFileRoute } from "@tanstack/react-router";
import { EventLogPage } from "../features/admin/components/event-log-page.tsx";
import { requireAdmin } from "../features/auth/api/guards.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/event-logs")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="events">
      <EventLogPage />
    </SettingsFrame>
  ),
});
