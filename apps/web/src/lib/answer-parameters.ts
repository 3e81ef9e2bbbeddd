import {
  getAnswerParameters,
  setThreadParameters,
  setWorkspaceParameters,
  type ThreadParameters,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import parameters from "../locales/en/parameters.json" with { type: "json" };
import { call } from "./api.ts";
import { addTexts } from "./i18n.ts";
import { modelKeys } from "./query-keys.ts";

// Loaded with what shows it, not with the first page.
addTexts("parameters", parameters);

/** Whose settings are edited: a thread's (null: the default thread), or the workspace's. */
export type ParameterOwner = { slug: string; thread: string | null } | { slug: string };

const isThread = (owner: ParameterOwner): owner is { slug: string; thread: string | null } =>
  "thread" in owner;

/** How answers are written in a thread, and what can be set for its model. */
export const parametersQuery = (owner: ParameterOwner) => {
  const thread = isThread(owner) ? owner.thread : null;
  return queryOptions({
    queryKey: modelKeys.parameters(owner.slug, thread),
    queryFn: ({ signal }) => call(getAnswerParameters, { slug: owner.slug, thread }, { signal }),
  });
};

/** Takes effect with the next question. */
export const useSaveParameters = (owner: ParameterOwner) =>
  useMutation({
    mutationFn: async ({ temperature, systemPrompt, ...parameters }: ThreadParameters) => {
      if (isThread(owner))
        await call(setThreadParameters, {
          ...owner,
          parameters: { ...parameters, temperature, systemPrompt },
        });
      else await call(setWorkspaceParameters, { ...owner, parameters });
    },
    meta: { invalidates: [modelKeys.allParameters], errorToast: false },
  });
