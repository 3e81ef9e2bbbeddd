import { createFileRoute } from "@tanstack/react-router";
import { PrivacySettings } from "../features/admin/components/privacy-settings.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/privacy")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="privacy">
      <PrivacySettings />
    </SettingsFrame>
  ),
});
