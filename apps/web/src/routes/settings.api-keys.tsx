import { createFileRoute } from "@tanstack/react-router";
import { ApiKeysPage } from "../features/admin/components/api-keys-page.tsx";
import { requireAdmin } from "../features/auth/api/guards.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/api-keys")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="keys">
      <ApiKeysPage />
    </SettingsFrame>
  ),
});
