import { createFileRoute } from "@tanstack/react-router";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { BuilderPage } from "../features/flows/components/builder-page.tsx";
import { builderPanels, type BuilderPanel } from "../features/flows/state/panels.ts";
import { BuilderTopbar } from "./-builder-topbar.tsx";

/** Without an id, the builder of a new flow; `panel` is open at first. */
export const Route = createFileRoute("/settings/agents_/builder/{-$flowId}")({
  validateSearch: ({ panel }: { panel?: unknown }): { panel?: BuilderPanel } => {
    const known = builderPanels.find((each) => each === panel);
    return known === undefined ? {} : { panel: known };
  },
  beforeLoad: requireAdmin,
  component: function Builder() {
    const { flowId = null } = Route.useParams();
    const { panel = null } = Route.useSearch();
    return <BuilderPage flowId={flowId} panel={panel} bar={BuilderTopbar} />;
  },
});
