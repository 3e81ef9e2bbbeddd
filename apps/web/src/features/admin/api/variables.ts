import { createVariable, deleteVariable, updateVariable } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { variablesQuery, type PromptVariable } from "../../../lib/prompt-variables.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { toast } from "../../../lib/toast.ts";

/** A variable of the instance; built-in ones have no ID. */
export type OwnVariable = PromptVariable & { id: number };

export interface VariableFields {
  key: string;
  value: string;
  description: string;
}

/** Creates a variable if there is no ID. */
export const useSaveVariable = () =>
  useMutation({
    mutationFn: ({ id, fields }: { id: number | null; fields: VariableFields }) =>
      id === null ? call(createVariable, fields) : call(updateVariable, { ...fields, id }),
    meta: { invalidates: [instanceKeys.promptVariables], errorToast: false },
  });

const useRestoreVariable = () =>
  useMutation({
    mutationFn: ({ key, value = "", description }: OwnVariable) =>
      call(createVariable, { key, value, description: description ?? "" }),
    meta: { invalidates: [instanceKeys.promptVariables] },
  });

/** The toast offers an undo: prompts use variables by name, so they can be restored. */
export const useDeleteVariable = () => {
  const { mutate: restore } = useRestoreVariable();
  return useMutation({
    mutationFn: ({ id }: OwnVariable) => call(deleteVariable, { id }),
    ...optimistic(variablesQuery.queryKey, (reply, { id }: OwnVariable) => ({
      ...reply,
      variables: reply.variables.filter((variable) => variable.id !== id),
    })),
    onSuccess: (_reply, variable) =>
      toast.success(i18next.t("admin:variables.deleted", { name: variable.key }), () =>
        restore(variable),
      ),
    meta: {
      invalidates: [instanceKeys.promptVariables],
      errorToast: (message) => i18next.t("admin:variables.deleteFailed", { message }),
    },
  });
};
