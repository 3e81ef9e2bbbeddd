import { createFileRoute } from "@tanstack/react-router";
import { SplittingSettings } from "../features/admin/components/splitting-settings.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/text-splitter-preference")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="splitting">
      <SplittingSettings />
    </SettingsFrame>
  ),
});
