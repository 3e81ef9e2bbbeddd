import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";
import { advanceApproval, advanceApprovals } from "./advance-approval.ts";
import { chatModes } from "./conversation.ts";
import { modelChoice } from "./thread-setting.ts";

/* What a schedule and its runs are; its operations are in `schedule.ts`. */

/** Preference label that lets people schedule work; on by default ("true"). */
export const schedulesLabel = "scheduled_work";
/** How many schedules a person can have; by default what the operator has set. */
export const scheduleLimitLabel = "scheduled_work_limit";
/** Preferences of scheduled work. */
export const scheduleLabels: readonly string[] = [schedulesLabel, scheduleLimitLabel];
export const mostSchedules = 10_000;

export const longestScheduleName = 200;
/** In UTF-16 code units. */
export const longestSchedulePrompt = 20_000;
/** A schedule pauses after this many failed runs in a row. */
export const maxScheduleFailures = 5;

/** Of a schedule, a run or a flow. */
export const scheduleId = z.uuid().transform((text) => text.toLowerCase());
const name = z.string().trim().min(1).max(longestScheduleName);
/** IANA name; refused with `schedule.zone-unknown` if it is none. */
const zone = z.string().min(1).max(64);

export const scheduleTiming = z.discriminatedUnion("kind", [
  /** Five fields with names (`MON`) and macros (`@daily`), read in the time zone. */
  z.object({ kind: z.literal("cron"), cron: z.string().trim().min(1).max(200), timeZone: zone }),
  /** ISO 8601; the zone is for showing it and for dates in prompts. */
  z.object({ kind: z.literal("once"), at: z.iso.datetime({ offset: true }), timeZone: zone }),
]);
export type ScheduleTiming = z.infer<typeof scheduleTiming>;

const text = z.string().trim().min(1).max(longestSchedulePrompt);

export const scheduleWork = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("prompt"),
    prompt: text,
    /** null: the workspace's. */
    mode: z.enum(chatModes).nullable().default(null),
    /** null: the workspace's. */
    model: modelChoice.nullable().default(null),
  }),
  z.object({
    kind: z.literal("agent"),
    prompt: text,
    model: modelChoice.nullable().default(null),
  }),
  z.object({
    kind: z.literal("flow"),
    flowId: scheduleId,
    // PostgreSQL stores no null characters.
    inputs: z
      .record(
        z
          .string()
          .max(100)
          .regex(/^[^\0]*$/),
        z.string().max(100_000),
      )
      .default({}),
  }),
]);
export type ScheduleWork = z.infer<typeof scheduleWork>;
export const scheduleKinds = ["prompt", "agent", "flow"] as const;

/** Runs that were due while the instance was down. once: one run now. skip: none. */
export const missedRuns = ["once", "skip"] as const;
/** More times for which nothing ran aren't counted. */
export const mostMissedRuns = 100;
/** new: each result is a new thread. same: all are in one thread. none: only the webhook gets them. */
export const scheduleThreads = ["new", "same", "none"] as const;

const address = z.url({ protocol: /^https?$/, hostname: /^.+$/ }).max(2_000);
const delivery = z.object({
  thread: z.enum(scheduleThreads).default("new"),
  /** Gets each result as a signed POST (Standard Webhooks); null: nothing is posted. */
  webhook: address.nullable().default(null),
  /** A result that says the same as the last delivered one isn't delivered. */
  onlyWhenChanged: z.boolean().default(false),
});

/** What its owner writes. */
export const scheduleContent = {
  name,
  work: scheduleWork,
  timing: scheduleTiming,
  missed: z.enum(missedRuns).default("once"),
  delivery: delivery.default({ thread: "new", webhook: null, onlyWhenChanged: false }),
  approvals: advanceApprovals.default([]),
};

/**
 * due: about to start. unchanged: done, but not delivered because it says what the last one said.
 * skipped: never started; `fault` says why.
 */
export const scheduleRunStates = [
  "due",
  "running",
  "done",
  "unchanged",
  "failed",
  "cancelled",
  "skipped",
] as const;
export type ScheduleRunState = (typeof scheduleRunStates)[number];

/** What people are told about schedules (`noticeWire`). */
export const scheduleNoticeKinds = [
  "schedule.delivered",
  "schedule.failed",
  "schedule.denied",
  "schedule.paused",
] as const;

/** A call that the run would have made, had its owner approved it. */
export const deniedCall = z.object({
  /** As in `advanceApproval`. */
  tool: z.string(),
  destination: z.string().nullable(),
  /**
   * What would have been sent or changed; long values are shortened. Empty for admins who aren't the
   * schedule's owner.
   */
  details: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Whether the schedule's approvals now include it. */
  isAllowed: z.boolean(),
});
export type DeniedCall = z.infer<typeof deniedCall>;

export const scheduleRunWire = z.object({
  id: z.uuid(),
  scheduleId: z.uuid(),
  state: z.enum(scheduleRunStates),
  /** When it was due, ISO 8601; of a run by hand, when it was requested. */
  dueAt: z.string(),
  /** manual: with `runSchedule`. late: it makes up for missed ones. */
  reason: z.enum(["due", "late", "manual"]),
  /** The last times for which nothing ran, latest first, at most 20. */
  missedTimes: z.array(z.string()),
  /** How many there were, at most `mostMissedRuns`. */
  missedCount: z.number().int(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Where the answer is; null: it isn't in a thread, or the thread was deleted. */
  threadSlug: z.string().nullable(),
  /** The answer of a prompt or agent, to be followed live; null before it starts, and for flows. */
  generationId: z.uuid().nullable(),
  /** null unless it runs a flow. */
  flowRunId: z.uuid().nullable(),
  /** Why it failed or was skipped. */
  fault: faultWire.nullable(),
  denied: z.array(deniedCall),
  /** The delivery to the webhook; null if there is none. */
  webhook: z
    .object({
      state: z.enum(["pending", "delivered", "failed"]),
      /** The last reply's; null if there was none. */
      status: z.number().int().nullable(),
      attempts: z.number().int(),
      fault: faultWire.nullable(),
    })
    .nullable(),
});
export type ScheduleRunWire = z.infer<typeof scheduleRunWire>;

export const scheduleWire = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The account whose rights its runs have; null on an instance without accounts. */
  ownerId: z.number().int().nullable(),
  workspaceId: z.number().int(),
  /** null: the caller can't use it, or it was deleted. */
  workspaceSlug: z.string().nullable(),
  work: scheduleWork,
  timing: scheduleTiming,
  missed: z.enum(missedRuns),
  delivery,
  /** The webhook's address was sealed under another instance secret: its owner has to enter it again. */
  isWebhookUnreadable: z.boolean(),
  approvals: z.array(advanceApproval),
  active: z.boolean(),
  /** Why it is paused, if not by hand; null while active. */
  pausedReason: faultWire.nullable(),
  /** When its next run is due, ISO 8601; null if none will be. */
  nextAt: z.string().nullable(),
  /** Failed runs in a row. */
  failures: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Whether an agent created it. */
  byAgent: z.boolean(),
  lastRun: scheduleRunWire
    .pick({ id: true, state: true, dueAt: true, endedAt: true, threadSlug: true })
    .extend({ deniedCount: z.number().int() })
    .nullable(),
});
export type ScheduleWire = z.infer<typeof scheduleWire>;

/** In UTF-16 code units, at most. */
export const listedPromptLength = 200;

/** A schedule in a list, without what may be long. */
export const listedScheduleWire = scheduleWire.omit({ approvals: true }).extend({
  work: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("prompt"), promptStart: z.string() }),
    z.object({ kind: z.literal("agent"), promptStart: z.string() }),
    z.object({ kind: z.literal("flow"), flowId: z.uuid() }),
  ]),
});
export type ListedScheduleWire = z.infer<typeof listedScheduleWire>;
