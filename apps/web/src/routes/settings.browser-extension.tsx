import { createFileRoute } from "@tanstack/react-router";
import { ExtensionKeysPage } from "../features/admin/components/extension-keys-page.tsx";
import { requireManager } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/browser-extension")({
  beforeLoad: requireManager,
  component: () => (
    <SettingsFrame page="extension">
      <ExtensionKeysPage />
    </SettingsFrame>
  ),
});
