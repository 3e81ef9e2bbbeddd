import { createFileRoute } from "@tanstack/react-router";
import { EventLogPage } from "../features/admin/components/event-log-page.tsx";
import { readEventSearch } from "../features/admin/state/page-search.ts";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/event-logs")({
  validateSearch: readEventSearch,
  beforeLoad: requireAdmin,
  component: function EventLog() {
    const search = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <SettingsFrame page="events">
        <EventLogPage
          search={search}
          onSearch={(next) =>
            // Only page changes are worth a history entry.
            void navigate({ search: next, replace: next.page === search.page })
          }
        />
      </SettingsFrame>
    );
  },
});
