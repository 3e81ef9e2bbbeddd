import { createFileRoute } from "@tanstack/react-router";
import { SharedLinksPage } from "../features/admin/components/shared-links-page.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/shared-links")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="sharing">
      <SharedLinksPage />
    </SettingsFrame>
  ),
});
