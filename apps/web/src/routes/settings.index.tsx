import { createFileRoute, redirect } from "@tanstack/react-router";
import { readRights } from "../lib/current-user.ts";

export const Route = createFileRoute("/settings/")({
  beforeLoad: () => {
    throw redirect({ to: readRights().admin ? "/settings/llm-preference" : "/settings/users" });
  },
});
