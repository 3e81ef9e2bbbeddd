import { getHubSettings } from "@carrel/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./api.ts";
import { hubKeys } from "./query-keys.ts";

export const hubSettingsQuery = queryOptions({
  queryKey: hubKeys.settings,
  queryFn: ({ signal }) => call(getHubSettings, {}, { signal }),
});

/** Whether there is a hub to publish to, as far as is known. Only admins may ask. */
export const useHasHub = (): boolean => {
  const { data } = useQuery(hubSettingsQuery);
  return data !== undefined && data.source.kind !== "off";
};
