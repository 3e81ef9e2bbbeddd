import {
  clearPromptHistory,
  deletePromptHistoryEntry,
  getDefaultSystemPrompt,
  listPromptHistory,
  setDefaultSystemPrompt,
  type Out,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";

export type EarlierPrompt = Out<typeof listPromptHistory>["history"][number];

const promptKeys = {
  history: (slug: string) => ["prompt-history", slug],
} as const;

export const defaultPromptQuery = queryOptions({
  queryKey: instanceKeys.defaultPrompt,
  queryFn: ({ signal }) => call(getDefaultSystemPrompt, {}, { signal }),
});

/** An empty prompt restores the built-in one. */
export const useSaveDefaultPrompt = () =>
  useMutation({
    mutationFn: (defaultSystemPrompt: string) =>
      call(setDefaultSystemPrompt, { defaultSystemPrompt }),
    meta: { invalidates: [instanceKeys.defaultPrompt], errorToast: false },
  });

/** Newest first. Always refetched, because every prompt change adds an entry. */
export const promptHistoryQuery = (slug: string) =>
  queryOptions({
    queryKey: promptKeys.history(slug),
    staleTime: 0,
    queryFn: ({ signal }) => call(listPromptHistory, { slug }, { signal }),
    select: (reply) => reply.history,
  });

export const useDeletePromptHistoryEntry = (slug: string) =>
  useMutation({
    mutationFn: (id: number) => call(deletePromptHistoryEntry, { id }),
    ...optimistic(promptHistoryQuery(slug).queryKey, (reply, id: number) => ({
      ...reply,
      history: reply.history.filter((entry) => entry.id !== id),
    })),
    meta: { invalidates: [promptKeys.history(slug)], errorToast: false },
  });

export const useClearPromptHistory = (slug: string) =>
  useMutation({
    mutationFn: () => call(clearPromptHistory, { slug }),
    meta: { invalidates: [promptKeys.history(slug)], errorToast: false },
  });
