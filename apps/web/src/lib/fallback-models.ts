import {
  getInstanceFallbacks,
  getWorkspaceFallbacks,
  quotingProvider,
  setInstanceFallbacks,
  setWorkspaceFallbacks,
  type FallbackModel,
  type FallbackModels,
  type Out,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import fallback from "../locales/en/fallback.json" with { type: "json" };
import { call } from "./api.ts";
import { addTexts } from "./i18n.ts";
import { withSortedModels } from "./providers.ts";
import { modelKeys } from "./query-keys.ts";

// Loaded with the pages that show it, not with the first one.
addTexts("fallback", fallback);

export type FallbackProvider = Out<typeof getInstanceFallbacks>["providers"][number];

export interface FallbackList {
  /** null: the workspace uses the instance's list. */
  models: FallbackModels | null;
  instance: FallbackModels;
  providers: FallbackProvider[];
}

/** Display name of a model in the list: its own, or its provider's. */
export function fallbackName(
  { provider, model }: FallbackModel,
  providers: FallbackProvider[],
): string {
  const known = providers.find(({ id }) => id === provider);
  return model ?? (provider === quotingProvider ? known?.name : known?.model) ?? provider;
}

/** The models that answer when the chosen one can't; without a slug, the instance's. */
export const fallbacksQuery = (slug: string | null) =>
  queryOptions({
    queryKey: modelKeys.fallbacks(slug),
    queryFn: async ({ signal }): Promise<FallbackList> => {
      if (slug !== null) {
        const own = await call(getWorkspaceFallbacks, { slug }, { signal });
        return { ...own, providers: own.providers.map(withSortedModels) };
      }
      const { models, providers } = await call(getInstanceFallbacks, {}, { signal });
      return { models, instance: models, providers: providers.map(withSortedModels) };
    },
  });

/** null uses the instance's list, for a workspace only. */
export const useSaveFallbacks = (slug: string | null) =>
  useMutation({
    mutationFn: async (models: FallbackModels | null) => {
      if (slug !== null) await call(setWorkspaceFallbacks, { slug, models });
      else await call(setInstanceFallbacks, { models: models ?? [] });
    },
    meta: { invalidates: [modelKeys.allFallbacks], errorToast: false },
  });
