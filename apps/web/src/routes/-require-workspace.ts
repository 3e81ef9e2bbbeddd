import type { QueryClient } from "@tanstack/react-query";
import { notFound } from "@tanstack/react-router";
import { workspacesQuery } from "../lib/workspaces.ts";

/** 404 for an unknown workspace; refetches the list in case it was created a moment ago. */
export async function requireWorkspace(queryClient: QueryClient, slug: string): Promise<void> {
  const isKnown = ({ workspaces }: { workspaces: { slug: string }[] }): boolean =>
    workspaces.some((workspace) => workspace.slug === slug);
  if (isKnown(await queryClient.ensureQueryData(workspacesQuery))) return;
  if (!isKnown(await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 })))
    throw notFound();
}
