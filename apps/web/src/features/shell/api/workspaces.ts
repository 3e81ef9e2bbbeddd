import {
  clearDefaultThread,
  createThread,
  createWorkspace,
  deleteThread,
  deleteThreads,
  deleteWorkspace,
  listDocumentCounts,
  listMarkedThreads,
  listTrash,
  updateDefaultThread,
  updateThread,
  updateWorkspace,
  type MarkedThread,
  type Out,
  type ThreadWire,
  type WorkspaceWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { useMemo, useSyncExternalStore } from "react";
import { call } from "../../../lib/api.ts";
import { optimistic, queryClient } from "../../../lib/query-client.ts";
import { documentKeys, threadKeys, turnKeys, workspaceKeys } from "../../../lib/query-keys.ts";
import { keys, readStored, watchStored, writeStored } from "../../../lib/session-storage.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";

/**
 * Workspace IDs in the user's order, in the storage format of existing clients of this wire. Empty
 * for anything but a list of IDs.
 */
export function parseOrder(raw: string | null): number[] {
  try {
    const value: unknown = JSON.parse(raw ?? "[]");
    return Array.isArray(value) ? value.filter((id): id is number => typeof id === "number") : [];
  } catch {
    return []; // edited by hand or truncated: use the server's order
  }
}

/** Workspaces missing from the order, such as new ones, come first, as in existing clients. */
export function orderWorkspaces<W extends { id: number }>(workspaces: W[], order: number[]): W[] {
  if (order.length === 0) return workspaces;
  const places = new Map(order.map((id, place) => [id, place]));
  const place = ({ id }: W): number => places.get(id) ?? -1;
  return workspaces.toSorted((a, b) => place(a) - place(b));
}

/** `ids` with `id` moved to `index` (not counting itself), clamped to the list. */
export function moveTo(ids: number[], id: number, index: number): number[] {
  const others = ids.filter((each) => each !== id);
  return others.toSpliced(Math.min(Math.max(0, index), others.length), 0, id);
}

export const storeOrder = (ids: number[]): void =>
  writeStored(keys.workspaceOrder, JSON.stringify(ids));

const subscribe = (listener: () => void): (() => void) =>
  watchStored(keys.workspaceOrder, listener);
const readOrder = (): string | null => readStored(keys.workspaceOrder);
/** The workspaces in the user's order; follows changes made in other tabs. */
export function useOrdered<W extends { id: number }>(workspaces: W[] | undefined): W[] {
  const raw = useSyncExternalStore(subscribe, readOrder);
  return useMemo(() => orderWorkspaces(workspaces ?? [], parseOrder(raw)), [workspaces, raw]);
}

/** The default thread's slug in the list of threads; elsewhere it is null. */
const defaultSlug = "";

/** The threads, and the default thread once it has a question. */
export const threadsQuery = (slug: string) =>
  queryOptions({
    queryKey: threadKeys.list(slug),
    queryFn: async ({ signal }) => {
      const { threads, defaultThread, ...rest } = await call(
        listMarkedThreads,
        { slug },
        { signal },
      );
      if (!defaultThread) return { ...rest, threads };
      const name = defaultThread.name ?? i18next.t("shell:defaultThread");
      return { ...rest, threads: [...threads, { ...defaultThread, name, slug: defaultSlug }] };
    },
  });

/** The open thread in the list; a null slug is the default thread. */
export const findThread = (
  threads: readonly MarkedThread[] | undefined,
  slug: string | null,
): MarkedThread | undefined => threads?.find((each) => each.slug === (slug ?? defaultSlug));

/**
 * The user's deleted threads that can still be restored; `days: 0` means deleted threads are not
 * kept. Stale only after ten minutes, because only deleting and restoring change it.
 */
export const trashQuery = (slug: string) =>
  queryOptions({
    queryKey: threadKeys.trash(slug),
    staleTime: 600_000,
    retry: false,
    queryFn: ({ signal }) => call(listTrash, { slug }, { signal }),
  });

export const countsQuery = queryOptions({
  queryKey: documentKeys.counts,
  queryFn: ({ signal }) => call(listDocumentCounts, {}, { signal }),
  select: (reply) => reply.counts,
});

/** Documents of a workspace that are ready or in progress, and those that failed. */
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

export const useCreateWorkspace = () =>
  useMutation({
    mutationFn: async (name: string): Promise<WorkspaceWire> => {
      const { workspace } = await call(createWorkspace, { name });
      return workspace!;
    },
    meta: { invalidates: [workspaceKeys.list], errorToast: false },
  });

export const useRenameWorkspace = (slug: string) =>
  useMutation({
    mutationFn: (name: string) => call(updateWorkspace, { slug, name }),
    ...optimistic(workspacesQuery.queryKey, (reply, name: string) => ({
      ...reply,
      workspaces: reply.workspaces.map((each) => (each.slug === slug ? { ...each, name } : each)),
    })),
    meta: { invalidates: [workspaceKeys.list], errorToast: false },
  });

export const useDeleteWorkspace = () =>
  useMutation({
    mutationFn: (slug: string) => call(deleteWorkspace, { slug }),
    meta: {
      invalidates: [workspaceKeys.list],
      errorToast: (message) => i18next.t("shell:workspaceNotDeleted", { message }),
    },
  });

export const useCreateThread = () =>
  useMutation({
    mutationFn: async (slug: string): Promise<ThreadWire> => {
      const { thread } = await call(createThread, { slug });
      return thread!;
    },
    onSuccess: (_thread, slug, _result, { client }) =>
      client.invalidateQueries({ queryKey: threadKeys.list(slug) }),
    meta: { errorToast: (message) => i18next.t("shell:threadNotCreated", { message }) },
  });

type Threads = Omit<Out<typeof listMarkedThreads>, "defaultThread">;
const renamed = (threads: Threads, threadSlug: string, name: string): Threads => ({
  ...threads,
  threads: threads.threads.map((thread) =>
    thread.slug === threadSlug ? { ...thread, name } : thread,
  ),
});

/** Applies a rename that the change stream reported. */
export function setThreadName(slug: string, threadSlug: string, name: string): void {
  queryClient.setQueryData(
    threadsQuery(slug).queryKey,
    (old) => old && renamed(old, threadSlug, name),
  );
}

/** Moves a thread in which a question was asked to the top; the server dates it the same way. */
export function touchThread(slug: string, threadSlug: string): void {
  const lastUpdatedAt = new Date().toISOString();
  queryClient.setQueryData(
    threadsQuery(slug).queryKey,
    (old) =>
      old && {
        ...old,
        threads: old.threads.map((thread) =>
          thread.slug === threadSlug ? { ...thread, lastUpdatedAt } : thread,
        ),
      },
  );
}

export const useRenameThread = (slug: string, threadSlug: string) =>
  useMutation({
    mutationFn: async (name: string): Promise<void> => {
      if (threadSlug === defaultSlug) await call(updateDefaultThread, { slug, name });
      else await call(updateThread, { slug, threadSlug, name });
    },
    ...optimistic(threadsQuery(slug).queryKey, (threads, name: string) =>
      renamed(threads, threadSlug, name),
    ),
    meta: { errorToast: false },
  });

/** A deleted thread disappears from the list after 500 ms (specification 1, section 9). */
export const removalDelay = 500;

export type RemovedThreads = { one: string } | { selected: string[] };
const slugsOf = (removed: RemovedThreads): string[] =>
  "one" in removed ? [removed.one] : removed.selected;

/** Deletes one thread or all marked ones; they disappear from the list after the delay. */
export const useDeleteThreads = (slug: string) =>
  useMutation({
    mutationFn: async (removed: RemovedThreads): Promise<void> => {
      const named = slugsOf(removed).filter((each) => each !== defaultSlug);
      if (named.length < slugsOf(removed).length) await call(clearDefaultThread, { slug });
      if (named.length === 0) return;
      await ("one" in removed
        ? call(deleteThread, { slug, threadSlug: removed.one })
        : call(deleteThreads, { slug, slugs: named }));
    },
    // Requests that are reading them would be refused once they are gone.
    onMutate: async (removed, { client }) => {
      await Promise.all(
        slugsOf(removed).map((thread) =>
          client.cancelQueries({ queryKey: turnKeys.list(slug, thread || null) }),
        ),
      );
    },
    onError: (_error, removed, _result, { client }) => {
      for (const thread of slugsOf(removed))
        void client.invalidateQueries({ queryKey: turnKeys.list(slug, thread || null) });
    },
    onSuccess: (_data, removed, _result, { client }) => {
      // The default thread's page remains.
      if (slugsOf(removed).includes(defaultSlug))
        void client.resetQueries({ queryKey: turnKeys.list(slug, null) });
      void client.invalidateQueries({ queryKey: threadKeys.trash(slug) });
      const gone = new Set(slugsOf(removed));
      setTimeout(
        () =>
          client.setQueryData(
            threadsQuery(slug).queryKey,
            (old) =>
              old && { ...old, threads: old.threads.filter((thread) => !gone.has(thread.slug)) },
          ),
        removalDelay,
      );
    },
    meta: { errorToast: () => i18next.t("shell:threadNotDeleted") },
  });
