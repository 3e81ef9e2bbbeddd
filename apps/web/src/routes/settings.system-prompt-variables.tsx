import { createFileRoute } from "@tanstack/react-router";
import { PromptVariablesPage } from "../features/admin/components/prompt-variables-page.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/system-prompt-variables")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="variables">
      <PromptVariablesPage />
    </SettingsFrame>
  ),
});
