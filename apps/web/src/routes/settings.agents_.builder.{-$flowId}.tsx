import { createFileRoute } from "@tanstack/react-router";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { BuilderPage } from "../features/flows/components/builder-page.tsx";
import { BuilderTopbar } from "./-builder-topbar.tsx";

/** Without an id, the builder of a new flow. */
export const Route = createFileRoute("/settings/agents_/builder/{-$flowId}")({
  beforeLoad: requireAdmin,
  component: function Builder() {
    const { flowId = null } = Route.useParams();
    return <BuilderPage flowId={flowId} bar={BuilderTopbar} />;
  },
});
