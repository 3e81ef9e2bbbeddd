import {
  createBudget,
  deleteBudget,
  listBudgets,
  updateBudget,
  type Args,
  type BudgetWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";

const budgetKeys = { list: ["usage", "budgets"] } as const;

/** Always refetched, because usage keeps growing. */
export const budgetsQuery = queryOptions({
  queryKey: budgetKeys.list,
  queryFn: ({ signal }) => call(listBudgets, {}, { signal }),
  select: (reply) => reply.budgets,
  staleTime: 0,
});

export type BudgetFields = Args<typeof createBudget>;

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
