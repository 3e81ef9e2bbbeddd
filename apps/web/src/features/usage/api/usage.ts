import {
  createBudget,
  deleteBudget,
  exportUsage,
  getModelOverrides,
  getUsage,
  listApiKeys,
  listBudgets,
  listInstanceApiKeys,
  listUsers,
  listWidgets,
  setModelOverrides,
  updateBudget,
  type Args,
  type BudgetWire,
  type ModelOverride,
  type UsageFilter,
  type UsageGrouping,
} from "@carrel/contracts";
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { download } from "../../../lib/download.ts";

const overrideKeys = { list: ["usage", "overrides"] } as const;

/** Replaces the catalogue's facts and prices. */
export const overridesQuery = queryOptions({
  queryKey: overrideKeys.list,
  queryFn: ({ signal }) => call(getModelOverrides, {}, { signal }),
  select: (reply) => reply.overrides,
});

/** Saves all overrides at once. */
export const useSaveOverrides = () =>
  useMutation({
    mutationFn: (overrides: ModelOverride[]) => call(setModelOverrides, { overrides }),
    meta: { invalidates: [overrideKeys.list], errorToast: false },
  });

const budgetKeys = { list: ["usage", "budgets"] } as const;

/** Always refetched, because usage keeps growing. */
export const budgetsQuery = queryOptions({
  queryKey: budgetKeys.list,
  queryFn: ({ signal }) => call(listBudgets, {}, { signal }),
  select: (reply) => reply.budgets,
  staleTime: 0,
});

type BudgetFields = Args<typeof createBudget>;

/** Only the levels of an existing budget change. */
export const useSaveBudget = (budget: BudgetWire | null) =>
  useMutation({
    mutationFn: async (fields: BudgetFields): Promise<void> => {
      const { warnAt, stopAt } = fields;
      await (budget === null
        ? call(createBudget, fields)
        : call(updateBudget, { id: budget.id, warnAt, stopAt }));
    },
    meta: { invalidates: [budgetKeys.list], errorToast: false },
  });

export const useDeleteBudget = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteBudget, { id }),
    meta: {
      invalidates: [budgetKeys.list],
      errorToast: (message) => i18next.t("usage:budgets.deleteFailed", { message }),
    },
  });

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
