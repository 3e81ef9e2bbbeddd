import { createFileRoute } from "@tanstack/react-router";
import { requireManager } from "../features/auth/api/auth-state.ts";
import { UsagePage } from "../features/usage/components/usage-page.tsx";
import { readUsageSearch } from "../features/usage/state/usage-search.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/usage")({
  validateSearch: readUsageSearch,
  beforeLoad: requireManager,
  component: function Usage() {
    const search = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <SettingsFrame page="usage">
        <UsagePage
          search={search}
          onSearch={(next) => void navigate({ search: next, replace: true })}
        />
      </SettingsFrame>
    );
  },
});
