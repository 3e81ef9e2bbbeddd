import {
  clearEvents,
  eventRetentionLabel,
  exportEvents,
  getEventLogState,
  listEvents,
  updatePreferences,
  verifyEvents,
  type Args,
  type Out,
} from "@carrel/contracts";
import { keepPreviousData, queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { lastDays } from "../../../lib/days.ts";
import { download } from "../../../lib/download.ts";
import { eventFilterOf, type EventSearch } from "../state/page-search.ts";

export const eventsPerPage = 10;
export type LoggedEvent = Out<typeof listEvents>["logs"][number];
export type EventLogState = Out<typeof getEventLogState>;
export type EventVerification = Out<typeof verifyEvents>;

const eventKeys = {
  all: ["admin", "events"],
  page: (search: EventSearch) => ["admin", "events", search],
  state: ["admin", "events", "state"],
} as const;

/** One page of the log, newest first. Always refetched, because the log keeps growing. */
export const eventsQuery = (search: EventSearch) =>
  queryOptions({
    queryKey: eventKeys.page(search),
    queryFn: ({ signal }) =>
      call(
        listEvents,
        { ...eventFilterOf(search), offset: (search.page ?? 1) - 1, limit: eventsPerPage },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** The signing key, the last anchor, the retention, and what the log can be filtered by. */
export const eventStateQuery = queryOptions({
  queryKey: eventKeys.state,
  queryFn: ({ signal }) => call(getEventLogState, {}, { signal }),
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

export const useVerifyEvents = () =>
  useMutation({
    mutationFn: () => call(verifyEvents, {}),
    meta: { errorToast: (message) => i18next.t("admin:events.verifyFailed", { message }) },
  });

/** Days; null keeps entries until the log is cleared. */
export const useKeepEvents = () =>
  useMutation({
    mutationFn: async (days: number | null) => {
      // The request body is the flat map itself.
      const preferences = { [eventRetentionLabel]: days } as unknown as Args<
        typeof updatePreferences
      >;
      await call(updatePreferences, preferences);
    },
    meta: { invalidates: [eventKeys.all], errorToast: false },
  });

/** Only a table can be filtered: the verifiable export is the whole log. */
export const useExportEvents = () =>
  useMutation({
    mutationFn: ({ format, search }: { format: "jsonl" | "csv"; search: EventSearch }) =>
      download(
        exportEvents,
        { format, ...(format === "csv" ? eventFilterOf(search) : {}) },
        `event-log-${lastDays(1).to}.${format}`,
      ),
    meta: { errorToast: (message) => i18next.t("admin:events.exportFailed", { message }) },
  });
