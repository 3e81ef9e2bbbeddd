import type { DataSource } from "typeorm";
import type { ScheduleRow } from "../schedule/schedule.repository.ts";
import type { ScheduleRunRepository, ScheduleRunRow } from "./schedule-run.repository.ts";
import { ScheduleRunStop } from "./schedule-stop.ts";

const schedule = { userId: 7 } as ScheduleRow;
const calls: string[] = [];
beforeEach(() => {
  calls.length = 0;
});

/** Stops a run that looks like this once it is locked. */
const stop = (locked: Partial<ScheduleRunRow> | null): Promise<boolean> => {
  const record = (call: string) => () => {
    calls.push(call);
    return Promise.resolve(true);
  };
  return new ScheduleRunStop(
    { transaction: (run: (manager: object) => unknown) => run({}) } as unknown as DataSource,
    {
      find: (_: string, manager?: object) => Promise.resolve(manager && locked),
      cancelDue: record("due"),
    } as unknown as ScheduleRunRepository,
    { stop: record("answer") } as never,
    { cancel: record("flow") } as never,
  ).stop("run", schedule);
};

it.each([
  [{ state: "due", flowRunId: null }, true, ["due"]],
  // It started after it was read: what it has started is known once it is locked.
  [{ state: "running", flowRunId: "run" }, true, ["flow"]],
  [{ state: "running", flowRunId: null }, true, ["answer"]],
  [{ state: "done", flowRunId: "run" }, false, []],
  [null, false, []],
] as const)("stops what %j has started", async (locked, isStopped, called) => {
  expect(await stop(locked)).toBe(isStopped);
  expect(calls).toEqual(called);
});
