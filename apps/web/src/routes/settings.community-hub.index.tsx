import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/settings/community-hub/")({
  beforeLoad: () => {
    throw redirect({ to: "/settings/community-hub/trending", replace: true });
  },
});
