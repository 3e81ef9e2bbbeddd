import {
  confirmPlugin,
  deletePlugin,
  getPlugin,
  listPlugins,
  readPluginFile,
  setPluginArguments,
  togglePlugin,
  tryPlugin,
  type Args,
  type Out,
  type PluginSummary,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { preferencesQuery } from "../../../lib/agent-preferences.ts";
import { call } from "../../../lib/api.ts";
import { loadFaultTexts } from "../../../lib/fault.ts";
import { sendFile } from "../../../lib/send-file.ts";

const pluginKeys = {
  all: ["plugins"],
  list: ["plugins", "list"],
  one: (hubId: string) => ["plugins", "one", hubId],
  file: (hubId: string, hash: string, path: string) => ["plugins", "file", hubId, hash, path],
} as const;

/** Folders may have changed since. */
export const pluginsQuery = queryOptions({
  queryKey: pluginKeys.list,
  queryFn: ({ signal }) => call(listPlugins, {}, { signal }),
  staleTime: 0,
});

export const pluginQuery = (hubId: string) =>
  queryOptions({
    queryKey: pluginKeys.one(hubId),
    queryFn: ({ signal }) => call(getPlugin, { hubId }, { signal }),
    staleTime: 0,
  });

export const pluginFileQuery = (hubId: string, hash: string, path: string) =>
  queryOptions({
    queryKey: pluginKeys.file(hubId, hash, path),
    queryFn: ({ signal }) => call(readPluginFile, { hubId, path }, { signal }),
    staleTime: Infinity,
  });

const invalidates = [pluginKeys.all];

export const useUploadPlugin = () =>
  useMutation({
    mutationFn: async (file: File): Promise<PluginSummary> =>
      (await sendFile("/api/plugins", file, {
        onProgress: () => undefined,
        signal: new AbortController().signal,
      })) as PluginSummary,
    meta: {
      invalidates,
      errorToast: (message) => i18next.t("plugins:uploadFailed", { message }),
    },
  });

export const useConfirmPlugin = () =>
  useMutation({
    mutationFn: (confirmed: Args<typeof confirmPlugin>) => call(confirmPlugin, confirmed),
    meta: {
      invalidates,
      errorToast: (message) => i18next.t("plugins:confirmFailed", { message }),
    },
  });

export const useTogglePlugin = () =>
  useMutation({
    mutationFn: (plugin: Args<typeof togglePlugin>) => call(togglePlugin, plugin),
    meta: {
      invalidates,
      errorToast: (message) => i18next.t("plugins:toggleFailed", { message }),
    },
  });

export const useSetPluginArguments = () =>
  useMutation({
    mutationFn: (plugin: { hubId: string; values: Record<string, string> }) =>
      call(setPluginArguments, plugin),
    meta: {
      invalidates,
      errorToast: (message) => i18next.t("plugins:configFailed", { message }),
    },
  });

export const useDeletePlugin = () =>
  useMutation({
    mutationFn: (hubId: string) => call(deletePlugin, { hubId }),
    meta: {
      // Its rule is deleted with it.
      invalidates: [...invalidates, preferencesQuery.queryKey],
      errorToast: (message) => i18next.t("plugins:deleteFailed", { message }),
    },
  });

export type PluginTrial = Out<typeof tryPlugin>;

/** Errors are shown in the form. */
export const useTryPlugin = () =>
  useMutation({
    mutationFn: async (input: Args<typeof tryPlugin>): Promise<PluginTrial> => {
      const trial = await call(tryPlugin, input);
      if (trial.fault !== null) await loadFaultTexts();
      return trial;
    },
    meta: { errorToast: false },
  });
