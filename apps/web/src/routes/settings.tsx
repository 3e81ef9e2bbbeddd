import { createFileRoute } from "@tanstack/react-router";
import { requireSession } from "../features/auth/api/auth-state.ts";
import { SettingsShell } from "./-settings-shell.tsx";

/** Each page has its own guard, which says who may open it. */
export const Route = createFileRoute("/settings")({
  beforeLoad: requireSession,
  component: SettingsShell,
});
