import {
  createThread,
  createWorkspace,
  deleteThread,
  deleteThreads,
  deleteWorkspace,
  listDocumentCounts,
  listThreads,
  listTrash,
  listWorkspaces,
  updateThread,
  updateWorkspace,
  type Out,
  type ThreadWire,
  type WorkspaceWire,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: ({ signal }) => call(listWorkspaces, {}, { signal }),
  select: (reply) => reply.workspaces,
});

export const threadsQuery = (slug: string) =>
  queryOptions({
    queryKey: ["threads", slug],
    queryFn: ({ signal }) => call(listThreads, { slug }, { signal }),
  });

/**
 * Own deleted threads that can be brought back; `days` 0: none is kept. Kept long: only deleting
 * and bringing back change it.
 */
export const trashQuery = (slug: string) =>
  queryOptions({
    queryKey: ["trash", slug],
    staleTime: 600_000,
    retry: false,
    queryFn: ({ signal }) => call(listTrash, { slug }, { signal }),
  });

export const countsQuery = queryOptions({
  queryKey: ["document-counts"],
  queryFn: ({ signal }) => call(listDocumentCounts, {}, { signal }),
  select: (reply) => reply.counts,
});

/**
 * What a workspace holds, told everywhere alike: documents that can be read (ready or on their
 * way), and those that could not be.
 */
export interface DocumentCount {
  documents: number;
  failed: number;
}
export function countOf(
  counts: Out<typeof listDocumentCounts>["counts"] | undefined,
  workspaceId: number | undefined,
): DocumentCount | null {
  if (!counts) return null;
  const count = counts.find((each) => each.workspaceId === workspaceId);
  const failed = count?.failed ?? 0;
  return { documents: Math.max(count?.documents ?? 0, (count?.total ?? 0) - failed), failed };
}

/** Makes a workspace; throws with the server's words where it refuses with 200. */
export async function makeWorkspace(name: string): Promise<WorkspaceWire> {
  const { workspace, message } = await call(createWorkspace, { name });
  if (!workspace) throw new Error(message ?? "");
  await queryClient.invalidateQueries({ queryKey: ["workspaces"] });
  return workspace;
}

export async function renameWorkspace(slug: string, name: string): Promise<void> {
  await call(updateWorkspace, { slug, name });
  await queryClient.invalidateQueries({ queryKey: ["workspaces"] });
}

export async function removeWorkspace(slug: string): Promise<void> {
  await call(deleteWorkspace, { slug });
  await queryClient.invalidateQueries({ queryKey: ["workspaces"] });
}

export async function makeThread(slug: string): Promise<ThreadWire> {
  const { thread, message } = await call(createThread, { slug });
  if (!thread) throw new Error(message ?? "");
  await queryClient.invalidateQueries({ queryKey: ["threads", slug] });
  return thread;
}

/**
 * Puts a name into the list at once: after a rename here, and when the stream says that a thread
 * was named.
 */
export function setThreadName(slug: string, threadSlug: string, name: string): void {
  queryClient.setQueryData(
    threadsQuery(slug).queryKey,
    (old) =>
      old && {
        ...old,
        threads: old.threads.map((thread) =>
          thread.slug === threadSlug ? { ...thread, name } : thread,
        ),
      },
  );
}

export async function renameThread(slug: string, threadSlug: string, name: string): Promise<void> {
  await call(updateThread, { slug, threadSlug, name });
  setThreadName(slug, threadSlug, name);
}

/**
 * A deleted thread leaves the list after 500 ms (specification 1, section 9), so that the eye can
 * follow.
 */
export const removalDelay = 500;

/**
 * One thread of its menu, or those that were marked. They stay in the list until the delay is over.
 */
export async function removeThreads(
  slug: string,
  removed: { one: string } | { marked: string[] },
): Promise<void> {
  const gone = "one" in removed ? [removed.one] : removed.marked;
  await ("one" in removed
    ? call(deleteThread, { slug, threadSlug: removed.one })
    : call(deleteThreads, { slug, slugs: gone }));
  void queryClient.invalidateQueries({ queryKey: ["trash", slug] });
  setTimeout(() => {
    const left = new Set(gone);
    queryClient.setQueryData(
      threadsQuery(slug).queryKey,
      (old) => old && { ...old, threads: old.threads.filter((thread) => !left.has(thread.slug)) },
    );
  }, removalDelay);
}
