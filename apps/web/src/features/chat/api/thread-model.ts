import {
  chooseThreadModel,
  getThreadModel,
  quotingProvider,
  type Args,
  type ThreadModel,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { modelKeys } from "../../../lib/query-keys.ts";
import { parsedFilesQuery } from "./parsed-files.ts";

/** The built-in answerer has no model, so what it writes is named instead. */
export const modelName = ({ provider, providerName, model }: ThreadModel): string =>
  provider === quotingProvider ? i18next.t("common:provider.quotes") : (model ?? providerName);

/** For use as the subject of a sentence. */
export const answererName = (model: ThreadModel): string =>
  model.provider === quotingProvider ? i18next.t("chat:builtInAnswerer") : modelName(model);

/** The model that answers in a thread; null: the default thread. */
export const threadModelQuery = (slug: string, thread: string | null) =>
  queryOptions({
    queryKey: modelKeys.ofThread(slug, thread),
    queryFn: ({ signal }) => call(getThreadModel, { slug, thread }, { signal }),
  });

/** Takes effect with the next question. */
export const useChooseThreadModel = (slug: string, thread: string | null) =>
  useMutation({
    mutationFn: (choice: Args<typeof chooseThreadModel>["choice"]) =>
      call(chooseThreadModel, { slug, thread, choice }),
    onSuccess: (model, _choice, _shown, { client }) =>
      client.setQueryData(threadModelQuery(slug, thread).queryKey, model),
    // How much of the model's context window they take, and what can be set for the model.
    meta: { invalidates: [parsedFilesQuery(slug, thread).queryKey, modelKeys.allParameters] },
  });
