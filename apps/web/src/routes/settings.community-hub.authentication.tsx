import { createFileRoute } from "@tanstack/react-router";
import { ConnectionPage } from "../features/hub/components/connection-page.tsx";

export const Route = createFileRoute("/settings/community-hub/authentication")({
  component: ConnectionPage,
});
