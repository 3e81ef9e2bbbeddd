import { createFileRoute } from "@tanstack/react-router";
import { RecordedChatsPage } from "../features/admin/components/recorded-chats-page.tsx";
import { readRecordedChatSearch } from "../features/admin/state/page-search.ts";
import { requireManager } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/workspace-chats")({
  validateSearch: readRecordedChatSearch,
  beforeLoad: requireManager,
  component: function RecordedChats() {
    const search = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <SettingsFrame page="chats">
        <RecordedChatsPage
          search={search}
          onSearch={(next, options) =>
            void navigate({ search: next, replace: options?.replace ?? false })
          }
        />
      </SettingsFrame>
    );
  },
});
