import {
  applyHubItem,
  checkHub,
  getFlow,
  importHubItem,
  listOwnHubItems,
  listPresets,
  preparePublication,
  previewHubItem,
  publishHubItem,
  searchHub,
  updateHubSettings,
  type Args,
  type HubItemType,
  type Out,
} from "@carrel/contracts";
import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { loadFaultTexts } from "../../../lib/fault.ts";
import { hubKeys } from "../../../lib/query-keys.ts";

const keys = {
  items: (type: HubItemType, search: string) => ["hub", "items", type, search],
  own: ["hub", "own"],
  preview: (importId: string, workspace: string) => ["hub", "preview", importId, workspace],
  source: (kind: string, of: string) => ["hub", "source", kind, of],
} as const;

export const hubItemsQuery = (type: HubItemType, search: string) =>
  infiniteQueryOptions({
    queryKey: keys.items(type, search),
    queryFn: ({ pageParam, signal }) =>
      call(searchHub, { type, search, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { items }) => sum + items.length, 0);
      return shown < last.total && last.items.length > 0 ? shown : undefined;
    },
    retry: false,
  });

export const ownItemsQuery = queryOptions({
  queryKey: keys.own,
  queryFn: ({ signal }) => call(listOwnHubItems, {}, { signal }),
  retry: false,
});

export type PreviewedItem = Out<typeof previewHubItem>;

/** Read each time it is opened, because it says what is there now. */
export const previewQuery = (importId: string, workspaceSlug: string) =>
  queryOptions({
    queryKey: keys.preview(importId, workspaceSlug),
    queryFn: async ({ signal }) => {
      const input = { importId, ...(workspaceSlug !== "" && { workspaceSlug }) };
      const reply = await call(previewHubItem, input, { signal });
      if (reply.fault !== null) await loadFaultTexts();
      return reply;
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** Errors are shown where the action is. */
const quiet = { meta: { errorToast: false } } as const;

export const useApplyItem = () =>
  useMutation({
    mutationFn: (input: Args<typeof applyHubItem>) => call(applyHubItem, input),
    ...quiet,
  });

export const useInstallSkill = () =>
  useMutation({
    mutationFn: (input: Args<typeof importHubItem>) => call(importHubItem, input),
    ...quiet,
  });

export const useSaveHub = () =>
  useMutation({
    mutationFn: (input: Args<typeof updateHubSettings>) => call(updateHubSettings, input),
    meta: { invalidates: [hubKeys.all], errorToast: false },
  });

export const useCheckHub = () =>
  useMutation({
    mutationFn: async (input: Args<typeof checkHub>) => {
      const reply = await call(checkHub, input);
      await loadFaultTexts();
      return reply;
    },
    ...quiet,
  });

export type Publication = Args<typeof publishHubItem>;

export const usePreparePublication = () =>
  useMutation({
    mutationFn: (input: Args<typeof preparePublication>) => call(preparePublication, input),
    ...quiet,
  });

export const usePublish = () =>
  useMutation({
    mutationFn: (input: Publication) => call(publishHubItem, input),
    meta: { invalidates: [hubKeys.all], errorToast: false },
  });

export const publishedCommandQuery = (id: string) =>
  queryOptions({
    queryKey: keys.source("slash-command", id),
    queryFn: async ({ signal }) => {
      const { presets } = await call(listPresets, {}, { signal });
      return presets.find((preset) => String(preset.id) === id) ?? null;
    },
    staleTime: 0,
  });

export const publishedFlowQuery = (id: string) =>
  queryOptions({
    queryKey: keys.source("agent-flow", id),
    queryFn: ({ signal }) => call(getFlow, { id }, { signal }),
    staleTime: 0,
  });
