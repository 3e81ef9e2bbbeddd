import { createFileRoute, notFound, redirect } from "@tanstack/react-router";
import { BetaFeatures } from "../features/admin/components/beta-features.tsx";
import { WatchedPage } from "../features/admin/components/watched-page.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

/** Several pages, because each route costs the first page a part of its script. */
export const Route = createFileRoute("/settings/$")({
  beforeLoad: (place) => {
    // The widgets' previous address, which bookmarks may have.
    if (place.params._splat === "embed-config")
      throw redirect({ to: "/settings/embed-chat-widgets", replace: true });
    return requireAdmin(place);
  },
  component: function OtherSettings() {
    const page = Route.useParams()._splat;
    if (page === "beta-features")
      return (
        <SettingsFrame page="beta">
          <BetaFeatures />
        </SettingsFrame>
      );
    if (page !== "beta-features/live-document-sync/manage") throw notFound();
    return (
      <SettingsFrame page="beta">
        <WatchedPage />
      </SettingsFrame>
    );
  },
});
