import {
  createFlow,
  deleteFlow,
  getFlow,
  getFlowVersion,
  listFlowVersions,
  listFlows,
  shareFlow,
  toggleFlow,
  updateFlow,
  type Args,
  type FlowSummary,
  type Out,
  type testFlow,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { saveFile } from "../../../lib/download.ts";
import { loadFaultTexts } from "../../../lib/fault.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { sharedFlowKeys } from "../../../lib/shared-flows.ts";
import {
  keepDraft,
  readDraft,
  savedContent,
  writeExported,
  type Content,
} from "../state/content.ts";

const flowKeys = {
  list: ["flows", "list"],
  opened: (id: string | null, opening: number) => ["flows", "opened", id, opening],
  saved: (id: string) => ["flows", "saved", id],
  variables: (id: string) => ["flows", "variables", id],
  versions: (id: string) => ["flows", "versions", id],
  version: (id: string, version: number) => ["flows", "versions", id, version],
} as const;

/** Whatever lists flows, or says what they do. */
const changedLists = [flowKeys.list, sharedFlowKeys.all];

export const flowsQuery = queryOptions({
  queryKey: flowKeys.list,
  queryFn: ({ signal }) => call(listFlows, {}, { signal }),
  select: (reply) => reply.flows,
});

/** Bypasses the cache, because saving an outdated copy would be a version conflict. */
export const readFlow = (id: string) => call(getFlow, { id });

/** Read each time it is asked for, once another version was saved. */
export const savedFlowQuery = (id: string) =>
  queryOptions({
    queryKey: flowKeys.saved(id),
    queryFn: () => readFlow(id),
    staleTime: 0,
    gcTime: 0,
  });

/** The start's variables of another flow. */
export const flowVariablesQuery = (id: string) =>
  queryOptions({
    queryKey: flowKeys.variables(id),
    queryFn: () => readFlow(id),
    select: ({ steps }) =>
      steps
        .flatMap((step) => (step.type === "start" ? step.config.variables : []))
        .filter(({ name }) => name.trim() !== ""),
    staleTime: 0,
  });

/** What the builder opens with, each time: the saved flow, and what was typed and not saved. */
export const builderQuery = (id: string | null, opening: number) =>
  queryOptions({
    queryKey: flowKeys.opened(id, opening),
    queryFn: async () => {
      const [flow, draft] = await Promise.all([id === null ? null : readFlow(id), readDraft(id)]);
      return { flow, draft };
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Creates the flow, or changes the version named; a fault's 409 says that it has another by now. */
export async function saveFlow(
  base: { id: string; version: number } | null,
  content: Content,
  more: { active?: boolean } = {},
): Promise<{ id: string; version: number }> {
  const saved = savedContent(content);
  const reply =
    base === null
      ? await call(createFlow, { ...saved, ...more })
      : { id: base.id, ...(await call(updateFlow, { ...base, ...saved })) };
  for (const queryKey of changedLists) void queryClient.invalidateQueries({ queryKey });
  void queryClient.invalidateQueries({ queryKey: flowKeys.versions(reply.id) });
  return reply;
}

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: flowKeys.versions(id),
    queryFn: ({ signal }) => call(listFlowVersions, { id }, { signal }),
    select: (reply) => reply.versions,
    staleTime: 0,
  });

export const versionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: flowKeys.version(id, version),
    queryFn: ({ signal }) => call(getFlowVersion, { id, version }, { signal }),
    staleTime: Infinity,
  });

/** The route for blocks as they are in the builder; a saved flow's ID gives them its credentials. */
const testRoute = ({ id, slug }: Args<typeof testFlow>): typeof testFlow => {
  const path = `${slug === undefined ? "" : "/workspace/:slug"}/flows${id === undefined ? "" : "/:id"}`;
  return `POST ${path}/test` as unknown as typeof testFlow;
};

export type TestRun = Out<typeof testFlow>;

/** Errors are shown in the panel. */
export const useTestFlow = () =>
  useMutation({
    mutationFn: async (input: Args<typeof testFlow>): Promise<TestRun> => {
      const run = await call(testRoute(input), input);
      if (run.fault !== null || run.steps.some(({ fault }) => fault !== null))
        await loadFaultTexts();
      return run;
    },
    meta: { errorToast: false },
  });

/** Adds a flow to the list, without opening it. */
export const useAddFlow = () =>
  useMutation({
    mutationFn: ({ active = true, ...content }: Content & { active?: boolean }) =>
      saveFlow(null, content, { active }),
    meta: {
      invalidates: changedLists,
      errorToast: (message) => i18next.t("flows:list.addFailed", { message }),
    },
  });

export const useDeleteFlow = () =>
  useMutation({
    mutationFn: async (id: string) => {
      await call(deleteFlow, { uuid: id } as unknown as Args<typeof deleteFlow>);
      await keepDraft(id, null);
    },
    meta: {
      invalidates: changedLists,
      errorToast: (message) => i18next.t("flows:list.deleteFailed", { message }),
    },
  });

export const useToggleFlow = () =>
  useMutation({
    mutationFn: ({ id, active }: Pick<FlowSummary, "id" | "active">) =>
      call(toggleFlow, { uuid: id, active } as unknown as Args<typeof toggleFlow>),
    meta: {
      invalidates: changedLists,
      errorToast: (message) => i18next.t("flows:list.changeFailed", { message }),
    },
  });

export const useShareFlow = () =>
  useMutation({
    mutationFn: ({ id, shared }: Pick<FlowSummary, "id" | "shared">) =>
      call(shareFlow, { id, shared }),
    meta: {
      invalidates: changedLists,
      errorToast: (message) => i18next.t("flows:list.changeFailed", { message }),
    },
  });

/** Saves a flow as a file that this page and other clients import. */
export const exportFlow = (content: Content, active: boolean): Promise<void> =>
  saveFile(
    new Response(new Blob([writeExported(content, active)], { type: "application/json" })),
    `${content.name.trim().replace(/[^\p{L}\p{N}._-]+/gu, "-") || "flow"}.json`,
  );
