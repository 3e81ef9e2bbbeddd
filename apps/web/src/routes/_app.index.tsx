import { createFileRoute, redirect, useNavigate } from "@tanstack/react-router";
import { useCreateWorkspace } from "../features/shell/api/workspaces.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { HomePage } from "../features/shell/components/home-page.tsx";
import { usePageTitle } from "../lib/brand.ts";
import { useRights } from "../lib/current-user.ts";

export const Route = createFileRoute("/_app/")({
  loader: async ({ context }) => {
    const { workspaces } = await context.queryClient.ensureQueryData(workspacesQuery);
    const first = workspaces[0];
    if (first)
      throw redirect({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: first.slug } });
  },
  component: Home,
});

function Home() {
  const navigate = useNavigate();
  const create = useCreateWorkspace();
  const { manager } = useRights();
  usePageTitle(null);
  return (
    <HomePage
      onCreate={
        !manager
          ? null
          : async (name) => {
              const { slug } = await create.mutateAsync(name);
              await navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug } });
            }
      }
    />
  );
}
