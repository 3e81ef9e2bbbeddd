import {
  exportUsage,
  getUsage,
  listApiKeys,
  listInstanceApiKeys,
  listUsers,
  listWidgets,
  type UsageFilter,
  type UsageGrouping,
} from "@carrel/contracts";
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { download } from "../../../lib/download.ts";

const usageKeys = {
  report: (filter: UsageFilter, groupBy: UsageGrouping) => ["usage", filter, groupBy],
  users: ["usage", "users"],
  widgets: ["usage", "widgets"],
  apiKeys: (multiUser: boolean) => ["usage", "api-keys", multiUser],
} as const;

/** Always refetched, because people keep asking. */
export const usageQuery = (filter: UsageFilter, groupBy: UsageGrouping) =>
  queryOptions({
    queryKey: usageKeys.report(filter, groupBy),
    queryFn: ({ signal }) => call(getUsage, { ...filter, groupBy }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const usersQuery = (isEnabled: boolean) =>
  queryOptions({
    queryKey: usageKeys.users,
    enabled: isEnabled,
    queryFn: async ({ signal }) => (await call(listUsers, {}, { signal })).users,
  });

/** In single-user mode, keys are served under another route. */
export const apiKeysQuery = (multiUser: boolean, isEnabled: boolean) =>
  queryOptions({
    queryKey: usageKeys.apiKeys(multiUser),
    enabled: isEnabled,
    queryFn: async ({ signal }) =>
      (await call(multiUser ? listApiKeys : listInstanceApiKeys, {}, { signal })).apiKeys,
  });

/** For the name of a widget. */
export const widgetsQuery = (isEnabled: boolean) =>
  queryOptions({
    queryKey: usageKeys.widgets,
    enabled: isEnabled,
    queryFn: async ({ signal }) => (await call(listWidgets, {}, { signal })).embeds,
  });

export const useSaveCsv = () =>
  useMutation({
    mutationFn: (filter: UsageFilter) =>
      download(exportUsage, filter, `usage-${filter.from}-${filter.to}.csv`),
    meta: { errorToast: (message) => i18next.t("usage:downloadFailed", { message }) },
  });
