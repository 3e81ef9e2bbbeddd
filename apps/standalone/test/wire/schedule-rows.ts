import {
  CarrelError,
  allowDeniedCall,
  cancelScheduleRun,
  createSchedule,
  deleteSchedule,
  getSchedule,
  getScheduleRun,
  listScheduleRuns,
  listSchedules,
  previewSchedule,
  rotateScheduleSecret,
  runSchedule,
  setScheduleActive,
  updateSchedule,
  type In,
  type ScheduleRunWire,
  type ScheduleWire,
} from "@carrel/contracts";
import { row as keyRow, type AccessRow } from "./access-row.ts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const id = "5a6b1a4e-2e30-4f27-9f2a-0c6d3b1f7e01";
const runId = "5a6b1a4e-2e30-4f27-9f2a-0c6d3b1f7e02";
const gone = "5a6b1a4e-2e30-4f27-9f2a-0c6d3b1f7e03";
const moment = "2026-12-01T08:00:00.000Z";
const timing = { kind: "cron", cron: "0 9 * * MON-FRI", timeZone: "Europe/Berlin" } as const;
const content = {
  name: "Morning brief",
  work: { kind: "agent", prompt: "What is new?", model: null },
  timing,
} as const;
const approvals = [{ tool: "gmail-send", destination: "ann@example.org" }];
const schedule: ScheduleWire = {
  id,
  ...content,
  ownerId: null,
  workspaceId: 1,
  workspaceSlug: "w1",
  missed: "once",
  delivery: { thread: "new", webhook: null, onlyWhenChanged: false },
  isWebhookUnreadable: false,
  approvals,
  active: true,
  pausedReason: null,
  nextAt: moment,
  failures: 0,
  createdAt: moment,
  updatedAt: moment,
  byAgent: false,
  lastRun: null,
};
const run: ScheduleRunWire = {
  id: runId,
  scheduleId: id,
  state: "done",
  dueAt: moment,
  reason: "due",
  missedTimes: [],
  missedCount: 0,
  startedAt: moment,
  endedAt: moment,
  threadSlug: "t1",
  generationId: runId,
  flowRunId: null,
  fault: null,
  denied: [{ ...approvals[0]!, details: [], isAllowed: true }],
  webhook: null,
};
const { approvals: _, ...listed } = schedule;
const list = {
  schedules: [{ ...listed, work: { kind: "agent" as const, promptStart: "What is new?" } }],
  nextCursor: null,
  total: 1,
  enabled: true,
  limit: 20,
  defaultLimit: 20,
  used: 1,
  minimumSeconds: 60,
};
const saved = { schedule, secret: null };

export function answerScheduleRows({ chat }: TestInstance): void {
  chat
    .answer(listSchedules, list)
    .answer(getSchedule, (input: In<typeof getSchedule>) => {
      if (input.id !== id) throw new CarrelError("schedule.not-found");
      return { schedule };
    })
    .answer(createSchedule, (input: In<typeof createSchedule>) => {
      if (input.timing.kind === "cron" && input.timing.cron === "daily")
        throw new CarrelError("schedule.cron-invalid");
      return saved;
    })
    .answer(updateSchedule, saved)
    .answer(deleteSchedule, { success: true })
    .answer(setScheduleActive, { schedule })
    .answer(rotateScheduleSecret, { secret: "whsec_new" })
    .answer(runSchedule, (input: In<typeof runSchedule>) => {
      if (input.id !== id) throw new CarrelError("schedule.is-running");
      return { runId };
    })
    .answer(listScheduleRuns, { runs: [run], nextCursor: null })
    .answer(getScheduleRun, { run, text: "Nothing." })
    .answer(cancelScheduleRun, { success: true })
    .answer(allowDeniedCall, { approvals })
    .answer(previewSchedule, { runs: [moment] });
}

const of = `/schedules/${id}`;
const refusal = (error: string) => ({ body: { error } });

/** Carrel-specific (docs/decisions/schedules.md). */
export const scheduleRows: Row[] = [
  row("chat.schedule.list", ["GET", "/schedules?of=all"], 200, json, { body: list }),
  row("chat.schedule.get", ["GET", of], 200, json, { body: { schedule } }),
  row(
    "chat.schedule.get",
    ["GET", `/schedules/${gone}`],
    404,
    json,
    refusal("This schedule doesn't exist."),
  ),
  row("chat.schedule.create", ["POST", "/workspace/w/schedules", content], 200, json, {
    body: saved,
  }),
  row(
    "chat.schedule.create",
    [
      "POST",
      "/workspace/w/schedules",
      { ...content, timing: { kind: "cron", cron: "daily", timeZone: "UTC" } },
    ],
    400,
    json,
    refusal(
      "This isn't a valid cron expression. Use five fields, such as 0 9 * * MON, or a macro, such as @daily.",
    ),
  ),
  row("chat.schedule.update", ["PUT", of, content], 200, json, { body: saved }),
  row("chat.schedule.delete", ["DELETE", of], 200, json, { body: { success: true } }),
  row("chat.schedule.set-active", ["PUT", `${of}/active`, { active: false }], 200, json, {
    body: { schedule },
  }),
  row("chat.schedule.rotate-secret", ["POST", `${of}/secret`], 200, json, {
    body: { secret: "whsec_new" },
  }),
  row("chat.schedule.run", ["POST", `${of}/run`], 200, json, { body: { runId } }),
  row(
    "chat.schedule.run",
    ["POST", `/schedules/${gone}/run`],
    409,
    json,
    refusal("A run of this schedule hasn't ended yet."),
  ),
  row("chat.schedule.list-runs", ["GET", `${of}/runs?limit=5`], 200, json, {
    body: { runs: [run], nextCursor: null },
  }),
  row("chat.schedule.get-run", ["GET", `${of}/runs/${runId}`], 200, json, {
    body: { run, text: "Nothing." },
  }),
  row("chat.schedule.cancel-run", ["POST", `${of}/runs/${runId}/cancel`], 200, json, {
    body: { success: true },
  }),
  row("chat.schedule.allow-call", ["POST", `${of}/runs/${runId}/allow`, { call: 0 }], 200, json, {
    body: { approvals },
  }),
  row("chat.schedule.preview", ["POST", "/schedules/preview", { timing }], 200, json, {
    body: { runs: [moment] },
  }),
];

/** The same of the developer API, with the key created by the account rows. */
export const developerScheduleRows: AccessRow[] = [
  keyRow("gateway.developer-schedule.list", "key", () => ["GET", "/v1/schedules"], list),
  keyRow("gateway.developer-schedule.get", "key", () => ["GET", `/v1${of}`], { schedule }),
  keyRow(
    "gateway.developer-schedule.create",
    "key",
    () => ["POST", "/v1/workspace/w/schedules", { ...content, ownerId: 1 }],
    saved,
  ),
  keyRow("gateway.developer-schedule.run", "key", () => ["POST", `/v1${of}/run`], { runId }),
  keyRow("gateway.developer-schedule.delete", "key", () => ["DELETE", `/v1${of}`], {
    success: true,
  }),
];
