import {
  allowedModelsLabel,
  updatePreferences,
  type AllowedModelChanges,
  type Args,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { instanceKeys, modelKeys } from "../../../lib/query-keys.ts";
import type { ListInput } from "../../../lib/provider-form.ts";
import { fetchModels } from "../../../lib/providers.ts";

/** The models that a provider lists with its saved settings. */
export const listedModelsQuery = (input: ListInput) =>
  queryOptions({
    queryKey: modelKeys.listed(input.provider),
    queryFn: () => fetchModels(input),
  });

/** Changes the limits of some providers. */
export const useAllowModels = () =>
  useMutation({
    mutationFn: (changes: AllowedModelChanges) =>
      // The request body is the flat map itself.
      call(updatePreferences, { [allowedModelsLabel]: changes } as unknown as Args<
        typeof updatePreferences
      >),
    meta: { invalidates: [instanceKeys.providers, modelKeys.all], errorToast: false },
  });
