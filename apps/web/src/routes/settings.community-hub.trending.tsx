import { createFileRoute } from "@tanstack/react-router";
import { TrendingPage } from "../features/hub/components/trending-page.tsx";
import { readListSearch } from "../features/hub/state/hub-search.ts";

export const Route = createFileRoute("/settings/community-hub/trending")({
  validateSearch: readListSearch,
  component: function Trending() {
    const { type, search } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <TrendingPage
        type={type ?? "system-prompt"}
        search={search ?? ""}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
    );
  },
});
