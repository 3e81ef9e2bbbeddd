import {
  allowedModelsLabel,
  updatePreferences,
  type AllowedModelChanges,
  type Args,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { instanceKeys, modelKeys } from "../../../lib/query-keys.ts";
import { testProvider } from "../../../lib/providers.ts";

type Tested = Parameters<typeof testProvider>[0];

/** The models that a provider lists with its saved settings. */
export const listedModelsQuery = (tested: Tested) =>
  queryOptions({
    queryKey: modelKeys.listed(tested.provider),
    queryFn: async () => (await testProvider(tested)).models,
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
