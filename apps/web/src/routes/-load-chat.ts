import type { QueryClient } from "@tanstack/react-query";
import { turnsQuery } from "../features/chat/api/turns.ts";
import { prefetchChat } from "../features/chat/components/chat-page.tsx";
import { countsQuery, threadsQuery } from "../features/shell/api/workspaces.ts";
import { isFirstPage } from "../lib/api.ts";
import { requireWorkspace } from "./-require-workspace.ts";

/** How long the first page waits for data that could also appear later. */
const timeoutMs = 400;

/** Loads what the page needs before rendering; an unknown workspace is a 404. */
export async function loadChat(
  queryClient: QueryClient,
  slug: string,
  threadSlug: string | null,
): Promise<void> {
  const turns = queryClient.prefetchInfiniteQuery(turnsQuery(slug, threadSlug));
  if (!isFirstPage()) return requireWorkspace(queryClient, slug);
  // Keeps the shell visible until the page is complete, rather than showing parts one by one.
  const complete = Promise.all([
    queryClient.prefetchQuery(threadsQuery(slug)),
    queryClient.prefetchQuery(countsQuery),
    turns.then(() => prefetchChat(queryClient, slug, threadSlug)),
  ]);
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, timeoutMs);
  });
  await Promise.all([requireWorkspace(queryClient, slug), Promise.race([complete, timeout])]);
}
