import { createFileRoute } from "@tanstack/react-router";
import { PersonalizationSettings } from "../features/admin/components/personalization-settings.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/personalization")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="personalization">
      <PersonalizationSettings />
    </SettingsFrame>
  ),
});
