import {
  getSchedule,
  listSchedules,
  scheduleLabels,
  type ScheduleRunState,
  type ScheduleTiming,
} from "@carrel/contracts";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "./api.ts";
import { onChange } from "./changes.ts";

export const scheduleKeys = {
  all: ["schedules"],
  lists: ["schedules", "list"],
  list: (of: "own" | "all") => ["schedules", "list", of],
  one: (id: string) => ["schedules", "one", id],
  runs: (id: string) => ["schedules", "runs", id],
  result: (id: string, runId: string) => ["schedules", "runs", id, runId],
  previews: ["schedule-preview"],
  preview: (timing: ScheduleTiming | null) => ["schedule-preview", timing],
  owners: ["schedule-owners"],
} as const;

export const isGoing = (state: ScheduleRunState | undefined): boolean =>
  state === "due" || state === "running";

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: scheduleKeys.one(id),
    queryFn: ({ signal }) => call(getSchedule, { id }, { signal }),
    select: (reply) => reply.schedule,
    staleTime: 0,
  });

/** How many schedules, of anyone, run a flow; for admins. */
export const scheduleCountQuery = (flowId: string) =>
  queryOptions({
    queryKey: [...scheduleKeys.lists, "count", flowId],
    queryFn: ({ signal }) => call(listSchedules, { of: "all", flowId, limit: 1 }, { signal }),
    select: (reply) => reply.total,
    staleTime: 0,
  });

/** Refreshes what is shown of schedules and their runs when the server says that it has changed. */
export function useScheduleChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = (queryKey: readonly string[]): void =>
      void client.invalidateQueries({ queryKey });
    return onChange((frame) => {
      if (frame.type === "schedule.changed") {
        refresh(scheduleKeys.lists);
        refresh(scheduleKeys.one(frame.scheduleId));
        refresh(scheduleKeys.runs(frame.scheduleId));
        refresh(scheduleKeys.previews);
      } else if (
        frame.type === "reconnected" ||
        frame.type === "connected" ||
        (frame.type === "settings.changed" &&
          frame.keys.some((key) => scheduleLabels.includes(key)))
      )
        refresh(scheduleKeys.all);
    });
  }, [client]);
}
