import { createFileRoute } from "@tanstack/react-router";
import { ProviderSettings } from "../features/admin/components/provider-settings.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/transcription-preference")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="transcription">
      <ProviderSettings kind="transcription" />
    </SettingsFrame>
  ),
});
