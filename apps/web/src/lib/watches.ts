import {
  createHook,
  listAllWatches,
  listSyncRuns,
  listWatches,
  removeHook,
  syncNow,
  toggleLiveSync,
  updateWatch,
  updateWatchStatus,
  watchSource,
  type Args,
  type WatchWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "./api.ts";
import { documentKeys } from "./query-keys.ts";
import { toast } from "./toast.ts";

/** What is kept in sync with its source; used by documents, sources and settings. */
export const watchKeys = {
  all: ["watches"],
  inWorkspace: (slug: string) => ["watches", "in", slug],
  runs: (slug: string, id: number) => ["watches", "runs", slug, id],
  instance: ["watches", "instance"],
} as const;

/** Watches loaded at once; more than this are seldom looked at one by one. */
const maxWatches = 2_000;
const perPage = 200;
/** Milliseconds between two looks at what is being synced right now, and at what is due. */
const [syncingMs, dueMs] = [3_000, 5_000];
/** Milliseconds after which a page looks again in any case. */
const longestMs = 3_600_000;

interface Watched<Watch> {
  /** Whether live sync is on. */
  enabled: boolean;
  watches: Watch[];
  defaultIntervalSeconds: number;
}

async function readAll<Watch>(
  read: (cursor: string | null) => Promise<Watched<Watch> & { nextCursor: string | null }>,
): Promise<Watched<Watch>> {
  const { enabled, defaultIntervalSeconds, ...first } = await read(null);
  const watches = [...first.watches];
  let cursor = first.nextCursor;
  while (cursor !== null && watches.length < maxWatches) {
    const page = await read(cursor);
    watches.push(...page.watches);
    cursor = page.nextCursor;
  }
  return { enabled, defaultIntervalSeconds, watches };
}

/** A sync that finds nothing new, or fails, changes no document: the page looks when it is due. */
function untilChange(data: Watched<WatchWire> | undefined): number | false {
  if (data?.enabled !== true) return false;
  const waits = data.watches.flatMap(({ state, nextSyncAt }) => {
    if (state === "syncing") return syncingMs;
    return nextSyncAt === null ? [] : Math.max(dueMs, Date.parse(nextSyncAt) - Date.now());
  });
  return waits.length > 0 && Math.min(longestMs, ...waits);
}

export const watchesQuery = (slug: string) =>
  queryOptions({
    queryKey: watchKeys.inWorkspace(slug),
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        call(listWatches, { slug, limit: perPage, ...(cursor !== null && { cursor }) }, { signal }),
      ),
    refetchInterval: ({ state }) => untilChange(state.data),
  });

export const allWatchesQuery = queryOptions({
  queryKey: watchKeys.instance,
  queryFn: ({ signal }) =>
    readAll((cursor) =>
      call(listAllWatches, { limit: perPage, ...(cursor !== null && { cursor }) }, { signal }),
    ),
  refetchInterval: ({ state }) => untilChange(state.data),
});

export const syncRunsQuery = (slug: string, watchId: number) =>
  queryOptions({
    queryKey: watchKeys.runs(slug, watchId),
    queryFn: async ({ signal }) => (await call(listSyncRuns, { slug, watchId }, { signal })).runs,
    staleTime: 0,
  });

const notUpdated = (message: string): string =>
  `${i18next.t("live-sync:notUpdated")} ${message}`.trim();

/** Watches a document for changes, or stops watching it, in every workspace that contains it. */
export const useWatchDocument = () =>
  useMutation({
    mutationFn: ({ slug, docPath, watched }: { slug: string; docPath: string; watched: boolean }) =>
      call(updateWatchStatus, { slug, docPath, watchStatus: watched }),
    onSuccess: (_reply, { watched }) =>
      toast.success(i18next.t(watched ? "live-sync:watched" : "live-sync:unwatched")),
    meta: { invalidates: [watchKeys.all, documentKeys.all], errorToast: notUpdated },
  });

/** The same for a whole source. */
export const useWatchSource = () =>
  useMutation({
    mutationFn: (fields: Args<typeof watchSource>) => call(watchSource, fields),
    onSuccess: (_reply, { watched }) =>
      toast.success(i18next.t(watched ? "live-sync:sourceWatched" : "live-sync:sourceUnwatched")),
    meta: { invalidates: [watchKeys.all], errorToast: notUpdated },
  });

/** Stops watching whatever it is, or watches what was given up again, with the same settings. */
export function useWatchAnything(): (slug: string, watch: WatchWire, watched: boolean) => void {
  const { mutate: watchDocument } = useWatchDocument();
  const { mutate: watchWhole } = useWatchSource();
  return (slug, { document, connectionId }, watched) => {
    if (document !== null) watchDocument({ slug, docPath: document.docpath, watched });
    else if (connectionId !== null) watchWhole({ slug, connectionId, watched });
  };
}

export const useUpdateWatch = () =>
  useMutation({
    mutationFn: (fields: Args<typeof updateWatch>) => call(updateWatch, fields),
    meta: { invalidates: [watchKeys.all], errorToast: notUpdated },
  });

export const useSyncNow = () =>
  useMutation({
    mutationFn: (watch: { slug: string; watchId: number }) => call(syncNow, watch),
    onSuccess: () => toast.success(i18next.t("live-sync:syncingSoon")),
    meta: {
      invalidates: [watchKeys.all],
      errorToast: (message) => i18next.t("live-sync:syncFailed", { message }),
    },
  });

/** Lets a watched source announce its changes; the reply has the secret, which is shown once. */
export const useCreateHook = () =>
  useMutation({
    mutationFn: (source: Args<typeof createHook>) => call(createHook, source),
    gcTime: 0,
    meta: {
      invalidates: [watchKeys.all],
      errorToast: (message) => i18next.t("connections:hook.failed", { message }),
    },
  });

export const useRemoveHook = () =>
  useMutation({
    mutationFn: (source: Args<typeof removeHook>) => call(removeHook, source),
    onSuccess: () => toast.success(i18next.t("connections:hook.removed")),
    meta: {
      invalidates: [watchKeys.all],
      errorToast: (message) => i18next.t("connections:hook.failed", { message }),
    },
  });

/** Turns live sync on or off for the instance. */
export const useToggleLiveSync = () =>
  useMutation({
    mutationFn: (on: boolean) => call(toggleLiveSync, { updatedStatus: on }),
    meta: { invalidates: [watchKeys.all, documentKeys.all], errorToast: notUpdated },
  });
