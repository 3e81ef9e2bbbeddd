import {
  createVariable,
  deleteVariable,
  listVariables,
  updateVariable,
  type Out,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export type PromptVariable = Out<typeof listVariables>["variables"][number];
export interface VariableFields {
  key: string;
  value: string;
  description: string;
}

/** Built-in ones first; they have no id. */
export const variablesQuery = queryOptions({
  queryKey: ["prompt-variables"],
  queryFn: ({ signal }) => call(listVariables, {}, { signal }),
  select: (reply) => reply.variables,
});
const again = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["prompt-variables"] });

/** Makes a variable, or changes the one that `id` names; throws with the server's words. */
export async function saveVariable(id: number | null, fields: VariableFields): Promise<void> {
  await (id === null ? call(createVariable, fields) : call(updateVariable, { ...fields, id }));
  await again();
}

export async function removeVariable(id: number): Promise<void> {
  await call(deleteVariable, { id });
  await again();
}
