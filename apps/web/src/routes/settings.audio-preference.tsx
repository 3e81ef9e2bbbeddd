import { createFileRoute } from "@tanstack/react-router";
import { AudioSettings } from "../features/admin/components/provider-settings.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/audio-preference")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="audio">
      <AudioSettings />
    </SettingsFrame>
  ),
});
