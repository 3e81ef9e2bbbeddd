import { createFileRoute } from "@tanstack/react-router";
import { WidgetsPage } from "../features/admin/components/widgets-page.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { readId } from "../lib/search-values.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/embed-chat-widgets")({
  /** The widget being edited. */
  validateSearch: ({ widget }: Record<string, unknown>): { widget?: number } => {
    const id = readId(widget);
    return id === undefined ? {} : { widget: id };
  },
  beforeLoad: requireAdmin,
  component: function Widgets() {
    const { widget } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <SettingsFrame page="widgets">
        <WidgetsPage
          edited={widget ?? null}
          onEdit={(id) => void navigate({ search: id === null ? {} : { widget: id } })}
        />
      </SettingsFrame>
    );
  },
});
