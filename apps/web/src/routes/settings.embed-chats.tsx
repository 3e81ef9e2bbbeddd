import { createFileRoute } from "@tanstack/react-router";
import { VisitorChatsPage } from "../features/admin/components/visitor-chats-page.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { readId } from "../lib/search-values.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/embed-chats")({
  validateSearch: ({ widget }: Record<string, unknown>): { widget?: number } => {
    const id = readId(widget);
    return id === undefined ? {} : { widget: id };
  },
  beforeLoad: requireAdmin,
  component: function VisitorChats() {
    const { widget } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <SettingsFrame page="visitors">
        <VisitorChatsPage
          chosen={widget ?? null}
          onChoose={(id) => void navigate({ search: { widget: id }, replace: true })}
        />
      </SettingsFrame>
    );
  },
});
