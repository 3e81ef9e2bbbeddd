import { listVariables, type Out } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { instanceKeys } from "./query-keys.ts";

export type PromptVariable = Out<typeof listVariables>["variables"][number];

/** Built-in variables come first; they have no ID. */
export const variablesQuery = queryOptions({
  queryKey: instanceKeys.promptVariables,
  queryFn: ({ signal }) => call(listVariables, {}, { signal }),
  select: (reply) => reply.variables,
});
