import { getOwnUsage, type In } from "@carrel/contracts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { lastDays } from "../../../lib/days.ts";

export type OwnGrouping = NonNullable<In<typeof getOwnUsage>["groupBy"]>;

/** Always refetched, because every answer changes it. */
export const ownUsageQuery = (days: number, groupBy: OwnGrouping) =>
  queryOptions({
    queryKey: ["own-usage", days, groupBy],
    queryFn: ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return call(getOwnUsage, { ...lastDays(days), timeZone, groupBy }, { signal });
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
