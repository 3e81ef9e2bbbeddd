import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/_app/workspace/$workspaceSlug/settings/")({
  beforeLoad: ({ params }) => {
    throw redirect({
      to: "/workspace/$workspaceSlug/settings/$tab",
      params: { ...params, tab: "general-appearance" },
      replace: true,
    });
  },
});
