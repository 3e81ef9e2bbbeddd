import { createFileRoute } from "@tanstack/react-router";
import { requireAdmin } from "../features/auth/api/guards.ts";
import { PrivacySettings } from "../features/admin/components/privacy-settings.tsx";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/privacy")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="privacy">
      <PrivacySettings />
    </SettingsFrame>
  ),
});
