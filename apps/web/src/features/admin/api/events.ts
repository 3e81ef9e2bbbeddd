import { clearEvents, listEvents, type Out } from "@carrel/contracts";
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";

export const eventsPerPage = 10;
export type LoggedEvent = Out<typeof listEvents>["logs"][number];

const eventKeys = {
  all: ["admin", "events"],
  page: (page: number) => ["admin", "events", page],
} as const;

/** One page of the log, newest first. Always refetched, because the log keeps growing. */
export const eventsQuery = (page: number) =>
  queryOptions({
    queryKey: eventKeys.page(page),
    queryFn: ({ signal }) => call(listEvents, { offset: page, limit: eventsPerPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const useClearEvents = () =>
  useMutation({
    mutationFn: () => call(clearEvents, {}),
    meta: {
      invalidates: [eventKeys.all],
      errorToast: (message) => i18next.t("admin:events.clearFailed", { message }),
    },
  });
