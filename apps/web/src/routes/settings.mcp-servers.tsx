import { createFileRoute } from "@tanstack/react-router";
import { McpServersPage } from "../features/admin/components/mcp-servers-page.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { describeFault, loadFaultTexts, parseFault } from "../lib/fault.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/mcp-servers")({
  // A sign-in to a server ends here (`mcp-sign-in.routes.ts`).
  validateSearch: (search: Record<string, unknown>): { connected?: string; fault?: string } => ({
    // The router parses query values as JSON, so a name of digits arrives as a number.
    ...(search.connected === undefined ? {} : { connected: String(search.connected as string) }),
    ...(search.fault === undefined
      ? {}
      : { fault: typeof search.fault === "string" ? search.fault : JSON.stringify(search.fault) }),
  }),
  beforeLoad: requireAdmin,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps: { connected = null, fault } }) => {
    if (fault === undefined) return { connected, problem: null };
    await loadFaultTexts();
    return { connected, problem: describeFault(parseFault(fault), 401) };
  },
  component: function McpServers() {
    const outcome = Route.useLoaderData();
    return (
      <SettingsFrame page="mcp">
        <McpServersPage outcome={outcome} />
      </SettingsFrame>
    );
  },
});
