import {
  addMcpServer,
  approveMcpTools,
  callMcpTool,
  deleteMcpServer,
  importMcpServers,
  listMcpServers,
  readMcpLog,
  reloadMcpServers,
  startMcpSignIn,
  toggleMcpServer,
  toggleMcpTool,
  updateMcpServer,
  type Args,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { preferencesQuery } from "../../../lib/agent-preferences.ts";
import { call } from "../../../lib/api.ts";

const mcpKeys = {
  all: ["admin", "mcp-servers"],
  list: ["admin", "mcp-servers", "list"],
  log: (id: number) => ["admin", "mcp-servers", "log", id],
} as const;

/** Refetched while a server is connecting. */
export const mcpServersQuery = queryOptions({
  queryKey: mcpKeys.list,
  queryFn: ({ signal }) => call(listMcpServers, {}, { signal }),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) =>
    data?.servers.some(({ state }) => state === "connecting" || state === "waiting") === true
      ? 2_000
      : false,
});

export const mcpLogQuery = (id: number) =>
  queryOptions({
    queryKey: mcpKeys.log(id),
    queryFn: ({ signal }) => call(readMcpLog, { id }, { signal }),
    select: ({ lines }) => lines,
    staleTime: 0,
    refetchInterval: 3_000,
  });

const invalidates = [mcpKeys.all];

export const useAddMcpServer = () =>
  useMutation({
    mutationFn: (fields: Args<typeof addMcpServer>) => call(addMcpServer, fields),
    meta: { invalidates, errorToast: false },
  });

export const useUpdateMcpServer = () =>
  useMutation({
    mutationFn: (fields: Args<typeof updateMcpServer>) => call(updateMcpServer, fields),
    meta: { invalidates, errorToast: false },
  });

export const useImportMcpServers = () =>
  useMutation({
    mutationFn: (file: string) => call(importMcpServers, { file }),
    meta: { invalidates, errorToast: false },
  });

/** An outcome with status 200 may be a failure. */
async function requireSuccess(outcome: Promise<{ success: boolean; error: string | null }>) {
  const { success, error } = await outcome;
  if (!success) throw new Error(error ?? "");
}

export const useToggleMcpServer = () =>
  useMutation({
    mutationFn: (server: { name: string; enabled: boolean }) =>
      requireSuccess(call(toggleMcpServer, server)),
    meta: {
      invalidates,
      errorToast: (message) => i18next.t("mcp:toggleFailed", { message }),
    },
  });

export const useDeleteMcpServer = () =>
  useMutation({
    mutationFn: (name: string) => requireSuccess(call(deleteMcpServer, { name })),
    meta: {
      // Its rule is deleted with it.
      invalidates: [...invalidates, preferencesQuery.queryKey],
      errorToast: (message) => i18next.t("mcp:deleteFailed", { message }),
    },
  });

export const useReloadMcpServers = () =>
  useMutation({
    mutationFn: () => call(reloadMcpServers, {}),
    meta: {
      invalidates,
      errorToast: (message) => i18next.t("mcp:reloadFailed", { message }),
    },
  });

const toolToast = (message: string): string => i18next.t("mcp:toolFailed", { message });

export const useToggleMcpTool = () =>
  useMutation({
    mutationFn: (tool: Args<typeof toggleMcpTool>) => requireSuccess(call(toggleMcpTool, tool)),
    meta: { invalidates, errorToast: toolToast },
  });

export const useApproveMcpTools = () =>
  useMutation({
    mutationFn: (approval: Args<typeof approveMcpTools>) => call(approveMcpTools, approval),
    meta: { invalidates, errorToast: toolToast },
  });

export const useCallMcpTool = () =>
  useMutation({
    mutationFn: (test: { id: number; tool: string; input: Record<string, unknown> }) =>
      call(callMcpTool, test),
    meta: { errorToast: false },
  });

/** Leaves for the server's sign-in page, which returns here. */
export const useSignInToMcpServer = () =>
  useMutation({
    mutationFn: async (id: number) => {
      const { url } = await call(startMcpSignIn, { id });
      location.assign(url);
    },
    meta: { errorToast: (message) => i18next.t("mcp:signInFailed", { message }) },
  });
