import { createFileRoute } from "@tanstack/react-router";
import { PublishPage } from "../features/hub/components/publish-page.tsx";
import { readPublishSearch } from "../features/hub/state/hub-search.ts";

export const Route = createFileRoute("/settings/community-hub/publish")({
  validateSearch: readPublishSearch,
  component: function Publish() {
    const search = Route.useSearch();
    return <PublishPage key={JSON.stringify(search)} {...search} />;
  },
});
