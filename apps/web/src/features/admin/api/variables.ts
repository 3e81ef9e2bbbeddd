import { createVariable, deleteVariable, updateVariable } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/optimistic.ts";
import { variablesQuery } from "../../../lib/prompt-variables.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";

export interface VariableFields {
  key: string;
  value: string;
  description: string;
}

/** Creates a variable when there is no id. */
export const useSaveVariable = () =>
  useMutation({
    mutationFn: ({ id, fields }: { id: number | null; fields: VariableFields }) =>
      id === null ? call(createVariable, fields) : call(updateVariable, { ...fields, id }),
    meta: { invalidates: [instanceKeys.promptVariables], errorToast: false },
  });

export const useDeleteVariable = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteVariable, { id }),
    ...optimistic(variablesQuery.queryKey, (reply, id: number) => ({
      ...reply,
      variables: reply.variables.filter((variable) => variable.id !== id),
    })),
    meta: {
      invalidates: [instanceKeys.promptVariables],
      errorToast: (message) => i18next.t("admin:variables.deleteFailed", { message }),
    },
  });
