import { createFileRoute, redirect } from "@tanstack/react-router";

/** The page's previous address, which bookmarks may have. */
export const Route = createFileRoute("/settings/embed-config")({
  beforeLoad: () => {
    throw redirect({ to: "/settings/embed-chat-widgets", replace: true });
  },
});
