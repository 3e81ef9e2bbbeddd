import { createFileRoute, Outlet } from "@tanstack/react-router";
import { requireSession } from "../features/auth/api/guards.ts";
import { AppFrame } from "./-app-frame.tsx";

/** Everything about workspaces is behind the session, in one frame. */
export const Route = createFileRoute("/_app")({
  beforeLoad: requireSession,
  component: () => (
    <AppFrame>
      <Outlet />
    </AppFrame>
  ),
});
