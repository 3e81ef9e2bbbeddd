import { clearEvents, listEvents, type Out } from "@carrel/contracts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export const eventsInPage = 10;
export type LoggedEvent = Out<typeof listEvents>["logs"][number];

/**
 * A page of the log, the newest first. The log grows while one reads it, so a page is asked for
 * anew each time.
 */
export const eventsQuery = (page: number) =>
  queryOptions({
    queryKey: ["admin", "events", page],
    queryFn: ({ signal }) => call(listEvents, { offset: page, limit: eventsInPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export async function clearLog(): Promise<void> {
  await call(clearEvents, {});
  await queryClient.invalidateQueries({ queryKey: ["admin", "events"] });
}
