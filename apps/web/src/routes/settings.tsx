import { createFileRoute } from "@tanstack/react-router";
import { requireManager } from "../features/auth/api/auth-state.ts";
import { SettingsShell } from "./-settings-shell.tsx";

/** Every role but default; admin pages have their own guard. */
export const Route = createFileRoute("/settings")({
  beforeLoad: requireManager,
  component: SettingsShell,
});
