import { getSystemConditions } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

/** What an administrator should know about disks, stores and backups; asked every minute. */
export const systemConditionsQuery = queryOptions({
  queryKey: ["system-conditions"],
  queryFn: ({ signal }) => call(getSystemConditions, {}, { signal }),
  select: ({ conditions }) => conditions,
  staleTime: 30_000,
  refetchInterval: 60_000,
  retry: false,
});
