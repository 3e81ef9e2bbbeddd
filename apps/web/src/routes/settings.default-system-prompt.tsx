import { createFileRoute } from "@tanstack/react-router";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { DefaultPromptPage } from "../features/workspace-settings/components/default-prompt-page.tsx";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/default-system-prompt")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="prompt">
      <DefaultPromptPage />
    </SettingsFrame>
  ),
});
