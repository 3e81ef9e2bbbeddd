import {
  allowDeniedCall,
  cancelScheduleRun,
  createSchedule,
  deleteSchedule,
  getScheduleRun,
  listScheduleRuns,
  listSchedules,
  listUsers,
  previewSchedule,
  rotateScheduleSecret,
  runSchedule,
  scheduleLimitLabel,
  schedulesLabel,
  setScheduleActive,
  updatePreferences,
  updateSchedule,
  type Args,
  type Out,
  type ScheduleTiming,
} from "@carrel/contracts";
import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { scheduleKeys } from "../../../lib/schedules.ts";

export type ListReply = Out<typeof listSchedules>;

export const schedulesQuery = (of: "own" | "all") =>
  infiniteQueryOptions({
    queryKey: scheduleKeys.list(of),
    queryFn: ({ pageParam, signal }) =>
      call(listSchedules, { of, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
  });

export const runsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: scheduleKeys.runs(id),
    queryFn: ({ pageParam, signal }) =>
      call(listScheduleRuns, { id, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 0,
  });

/** The result of a run that has ended; only its owner may read it. */
export const resultQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: scheduleKeys.result(id, runId),
    queryFn: ({ signal }) => call(getScheduleRun, { id, runId }, { signal }),
    select: (reply) => reply.text,
  });

/** The next runs of a timing; without one, nothing is requested. */
export const previewQuery = (timing: ScheduleTiming | null) =>
  queryOptions({
    queryKey: scheduleKeys.preview(timing),
    queryFn: ({ signal }) => call(previewSchedule, { timing: timing! }, { signal }),
    select: (reply) => reply.runs,
    enabled: timing !== null,
    retry: false,
  });

/** Names of accounts, for admins who look at everyone's schedules. */
export const ownersQuery = queryOptions({
  queryKey: scheduleKeys.owners,
  queryFn: ({ signal }) => call(listUsers, {}, { signal }),
  select: ({ users }) => new Map(users.map(({ id, username }) => [id, username])),
});

type Content = Omit<Args<typeof createSchedule>, "slug" | "ownerId">;

/** Returns a new webhook's secret, too, which the server shows only once. */
export const useSaveSchedule = () =>
  useMutation({
    mutationFn: ({
      target,
      content,
    }: {
      /** A new schedule's workspace, or the schedule. */
      target: { slug: string } | { id: string };
      content: Content;
    }) =>
      "id" in target
        ? call(updateSchedule, { ...target, ...content })
        : call(createSchedule, { ...target, ...content }),
    gcTime: 0,
    meta: { invalidates: [scheduleKeys.all], errorToast: false },
  });

export const useSetActive = () =>
  useMutation({
    mutationFn: ({ id, active }: { id: string; active: boolean }) =>
      call(setScheduleActive, { id, active }),
    meta: {
      invalidates: [scheduleKeys.all],
      errorToast: (message) => i18next.t("schedules:activeFailed", { message }),
    },
  });

export const useRunNow = () =>
  useMutation({
    mutationFn: (id: string) => call(runSchedule, { id }),
    meta: {
      invalidates: [scheduleKeys.all],
      errorToast: (message) => i18next.t("schedules:runFailed", { message }),
    },
  });

export const useDeleteSchedule = () =>
  useMutation({
    mutationFn: (id: string) => call(deleteSchedule, { id }),
    meta: {
      invalidates: [scheduleKeys.lists],
      errorToast: (message) => i18next.t("schedules:deleteFailed", { message }),
    },
  });

export const useCancelRun = (id: string) =>
  useMutation({
    mutationFn: (runId: string) => call(cancelScheduleRun, { id, runId }),
    meta: {
      invalidates: [scheduleKeys.all],
      errorToast: (message) => i18next.t("schedules:cancelFailed", { message }),
    },
  });

export const useAllowCall = (id: string) =>
  useMutation({
    mutationFn: ({ runId, place }: { runId: string; place: number }) =>
      call(allowDeniedCall, { id, runId, call: place }),
    meta: {
      invalidates: [scheduleKeys.all],
      errorToast: (message) => i18next.t("schedules:allowFailed", { message }),
    },
  });

export const useRotateSecret = () =>
  useMutation({
    mutationFn: async (id: string) => (await call(rotateScheduleSecret, { id })).secret,
    gcTime: 0,
    meta: { errorToast: (message) => i18next.t("schedules:rotateFailed", { message }) },
  });

/** Sets how many schedules a person can have; null: the operator's default. */
export const useSaveLimit = () =>
  useMutation({
    mutationFn: async (limit: number | null) => {
      const preferences = { [scheduleLimitLabel]: limit } as unknown as Args<
        typeof updatePreferences
      >;
      await call(updatePreferences, preferences);
    },
    meta: { invalidates: [scheduleKeys.all], errorToast: false },
  });

/** Switches scheduled work on or off for everybody. */
export const useSwitchSchedules = () =>
  useMutation({
    mutationFn: async (on: boolean) => {
      // The request body is the flat map itself.
      const preferences = { [schedulesLabel]: String(on) } as unknown as Args<
        typeof updatePreferences
      >;
      await call(updatePreferences, preferences);
    },
    ...optimistic(schedulesQuery("all").queryKey, (list, on: boolean) => ({
      ...list,
      pages: list.pages.map((page) => ({ ...page, enabled: on })),
    })),
    meta: {
      invalidates: [scheduleKeys.all],
      errorToast: (message) => i18next.t("schedules:admin.failed", { message }),
    },
  });
