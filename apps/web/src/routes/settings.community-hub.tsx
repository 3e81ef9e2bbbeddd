import { createFileRoute, Outlet } from "@tanstack/react-router";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { HubTabs } from "../features/hub/components/hub-tabs.tsx";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/community-hub")({
  beforeLoad: requireAdmin,
  component: () => (
    <SettingsFrame page="hub">
      <HubTabs />
      <Outlet />
    </SettingsFrame>
  ),
});
