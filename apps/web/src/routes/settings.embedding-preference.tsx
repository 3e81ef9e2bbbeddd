import { createFileRoute } from "@tanstack/react-router";
import { IndexPanel } from "../features/admin/components/index-panel.tsx";
import { ProviderSettings } from "../features/admin/components/provider-settings.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/embedding-preference")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="embedding">
      <IndexPanel />
      <ProviderSettings kind="embedding" />
    </SettingsFrame>
  ),
});
