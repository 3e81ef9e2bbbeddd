import { getTelemetry, updateSettings, telemetryKey, type Args } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/optimistic.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { setupQuery } from "../../../lib/setup.ts";

export const telemetryQuery = queryOptions({
  queryKey: [...instanceKeys.providers, "telemetry"],
  queryFn: ({ signal }) => call(getTelemetry, {}, { signal }),
});

export const useSwitchTelemetry = () =>
  useMutation({
    mutationFn: async (on: boolean) => {
      // The request body is the flat map itself.
      const values = { [telemetryKey]: String(!on) } as unknown as Args<typeof updateSettings>;
      await call(updateSettings, values);
    },
    ...optimistic(setupQuery.queryKey, (reply, on: boolean) => ({
      ...reply,
      results: { ...reply.results, [telemetryKey]: String(!on) },
    })),
    meta: {
      invalidates: [setupQuery.queryKey],
      errorToast: (message) => i18next.t("privacy:failed", { message }),
    },
  });
