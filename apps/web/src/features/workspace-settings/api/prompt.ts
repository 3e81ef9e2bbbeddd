import {
  clearPromptHistory,
  deletePromptHistoryEntry,
  getDefaultSystemPrompt,
  listPromptHistory,
  listVariables,
  listWorkspaceProviders,
  setDefaultSystemPrompt,
  type Out,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export type EarlierPrompt = Out<typeof listPromptHistory>["history"][number];

/**
 * What the workspace can be set to; a provider that does not answer takes the server three seconds.
 */
export const readyProvidersQuery = (slug: string) =>
  queryOptions({
    queryKey: ["workspace-providers", slug],
    queryFn: ({ signal }) => call(listWorkspaceProviders, { slug }, { signal }),
  });
export const defaultPromptQuery = queryOptions({
  queryKey: ["default-prompt"],
  queryFn: ({ signal }) => call(getDefaultSystemPrompt, {}, { signal }),
});
/** Blank goes back to the built-in one. */
export async function saveDefaultPrompt(prompt: string): Promise<void> {
  const { success, message } = await call(setDefaultSystemPrompt, { defaultSystemPrompt: prompt });
  if (!success) throw new Error(message);
  await queryClient.invalidateQueries({ queryKey: defaultPromptQuery.queryKey });
}
export const variablesQuery = queryOptions({
  queryKey: ["prompt-variables"],
  queryFn: ({ signal }) => call(listVariables, {}, { signal }),
  select: (reply) => reply.variables,
});

/** Newest first. Asked anew whenever it is opened: every change of a prompt adds to it. */
export const promptHistoryQuery = (slug: string) =>
  queryOptions({
    queryKey: ["prompt-history", slug],
    staleTime: 0,
    queryFn: ({ signal }) => call(listPromptHistory, { slug }, { signal }),
    select: (reply) => reply.history,
  });
const again = (slug: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["prompt-history", slug] });

export async function forgetPrompt(slug: string, id: number): Promise<void> {
  await call(deletePromptHistoryEntry, { id });
  await again(slug);
}
export async function forgetAllPrompts(slug: string): Promise<void> {
  await call(clearPromptHistory, { slug });
  await again(slug);
}
