import { createFileRoute } from "@tanstack/react-router";
import { ImportPage } from "../features/hub/components/import-page.tsx";

/** Links of hubs lead here, with the ID of an item. */
export const Route = createFileRoute("/settings/community-hub/import-item")({
  // The router parses query values as JSON, so an ID of digits arrives as a number.
  validateSearch: ({ id }: Record<string, unknown>): { id?: string } =>
    typeof id === "string" || typeof id === "number" ? { id: String(id) } : {},
  component: function ImportItem() {
    const { id = "" } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <ImportPage
        key={id}
        importId={id}
        onOpen={(next) => void navigate({ search: next === "" ? {} : { id: next } })}
      />
    );
  },
});
