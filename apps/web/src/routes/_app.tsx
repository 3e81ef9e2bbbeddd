import { Outlet, createFileRoute } from "@tanstack/react-router";
import { requireSession } from "../features/auth/api/auth-state.ts";
import { AppFrame } from "./-app-frame.tsx";

/** Workspace pages require a session and share one layout. */
export const Route = createFileRoute("/_app")({
  beforeLoad: requireSession,
  component: () => (
    <AppFrame>
      <Outlet />
    </AppFrame>
  ),
});
