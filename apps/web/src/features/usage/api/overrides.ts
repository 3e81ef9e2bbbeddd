import { getModelOverrides, setModelOverrides, type ModelOverride } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

const overrideKeys = { list: ["usage", "overrides"] } as const;

/** Replaces the catalogue's facts and prices. */
export const overridesQuery = queryOptions({
  queryKey: overrideKeys.list,
  queryFn: ({ signal }) => call(getModelOverrides, {}, { signal }),
  select: (reply) => reply.overrides,
});

/** Saves all overrides at once. */
export const useSaveOverrides = () =>
  useMutation({
    mutationFn: (overrides: ModelOverride[]) => call(setModelOverrides, { overrides }),
    meta: { invalidates: [overrideKeys.list], errorToast: false },
  });
