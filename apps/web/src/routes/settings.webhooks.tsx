import { createFileRoute } from "@tanstack/react-router";
import { WebhooksPage } from "../features/admin/components/webhooks-page.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/webhooks")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="webhooks">
      <WebhooksPage />
    </SettingsFrame>
  ),
});
