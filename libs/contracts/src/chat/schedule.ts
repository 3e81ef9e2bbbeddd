import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { byKey, inWorkspace, type ErrorReply } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineJob, defineOperation, type Contracts } from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";
import { advanceApproval } from "./advance-approval.ts";
import {
  listedScheduleWire,
  scheduleContent,
  scheduleId,
  scheduleNoticeKinds,
  scheduleRunWire,
  scheduleTiming,
  scheduleWire,
} from "./schedule-wire.ts";

/*
 * Scheduled work: a prompt, an agent or a flow that runs for its owner, unattended
 * (docs/decisions/schedules.md).
 */

const refuse = (status: number): ErrorReply => ({
  status,
  kind: "json",
  body: { error: "$message" },
});
const refused = {
  BAD_INPUT: refuse(400),
  FORBIDDEN: refuse(403),
  DISABLED: refuse(403),
  NOT_FOUND: refuse(404),
  CONFLICT: refuse(409),
  REFUSED: refuse(400),
};
const own = { service: "chat", access: { who: "session" }, errors: refused } as const;
/**
 * Proof is due for a new webhook address and for new approvals, because runs keep sending after
 * the session has ended.
 */
const ownProven = { ...own, access: { who: "session", proof: "handler" } } as const;

const page = {
  cursor: pageCursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
};

/** Carrel-specific. Admins may request everyone's. */
export const listSchedules = defineOperation({
  ...own,
  name: "chat.schedule.list",
  calls: ["workspace"],
  routes: [
    { method: "GET", path: "/schedules", summary: "List your schedules, or everyone's" },
    {
      ...byKey("read"),
      name: "gateway.developer-schedule.list",
      method: "GET",
      path: "/v1/schedules",
      summary: "List all schedules",
      input: z.object(page).transform((asked) => ({ ...asked, of: "all" as const })),
    },
  ],
  input: z.object({
    /** all: FORBIDDEN unless the caller is an admin. */
    of: z.enum(["own", "all"]).default("own"),
    /** Only those that run this flow. */
    flowId: z
      .uuid()
      .transform((id) => id.toLowerCase())
      .optional(),
    ...page,
  }),
  output: z.object({
    /** By name. */
    schedules: z.array(listedScheduleWire),
    nextCursor: nextPageCursor,
    /** On all pages. */
    total: z.number().int(),
    /** False: an admin has switched scheduled work off; nothing runs. */
    enabled: z.boolean(),
    /** How many the caller may have, and has. */
    limit: z.number().int(),
    used: z.number().int(),
    /** The limit unless an admin sets another one. */
    defaultLimit: z.number().int(),
    /** Shortest time between two runs, in seconds. */
    minimumSeconds: z.number().int(),
  }),
});

export const getSchedule = defineOperation({
  ...own,
  name: "chat.schedule.get",
  calls: ["workspace"],
  routes: [
    { method: "GET", path: "/schedules/:id", summary: "Get one of your schedules" },
    {
      ...byKey("read"),
      name: "gateway.developer-schedule.get",
      method: "GET",
      path: "/v1/schedules/:id",
      summary: "Get a schedule with its prompt, inputs and approvals",
    },
  ],
  input: z.object({ id: scheduleId }),
  output: z.object({ schedule: scheduleWire }),
});

/** `secret` signs what its webhook gets; shown only here. null: no webhook, or not a new one. */
const saved = z.object({ schedule: scheduleWire, secret: z.string().nullable() });

export const createSchedule = defineOperation({
  ...ownProven,
  access: { who: "session", workspace: true, proof: "handler" },
  errors: { ...inWorkspace, ...refused },
  name: "chat.schedule.create",
  idempotency: "keyed",
  calls: ["auth", "workspace"],
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/schedules",
      summary: "Schedule a prompt, an agent or a flow in a workspace",
    },
    {
      ...byKey("admin", { workspace: true }),
      errors: { ...inWorkspace, ...byKey("admin").errors },
      name: "gateway.developer-schedule.create",
      method: "POST",
      path: "/v1/workspace/:slug/schedules",
      summary: "Schedule a prompt, an agent or a flow in a workspace",
    },
  ],
  input: z.object({
    slug,
    ...scheduleContent,
    /** Only for API keys: the account that owns it; required if there are accounts. */
    ownerId: rowId.optional(),
  }),
  output: saved,
});

/** Replaces everything except the workspace. Only its owner may. */
export const updateSchedule = defineOperation({
  ...ownProven,
  name: "chat.schedule.update",
  idempotency: "natural",
  calls: ["auth", "workspace"],
  routes: [{ method: "PUT", path: "/schedules/:id", summary: "Change one of your schedules" }],
  input: z.object({ id: scheduleId, ...scheduleContent }),
  output: saved,
});

/** Its owner and admins may. Threads that its runs made are kept. */
export const deleteSchedule = defineOperation({
  ...own,
  name: "chat.schedule.delete",
  idempotency: "natural",
  routes: [
    { method: "DELETE", path: "/schedules/:id", summary: "Delete a schedule and stop its run" },
    {
      ...byKey("admin"),
      name: "gateway.developer-schedule.delete",
      method: "DELETE",
      path: "/v1/schedules/:id",
      summary: "Delete a schedule and stop its run",
    },
  ],
  input: z.object({ id: scheduleId }),
  output: z.object({ success: z.literal(true) }),
});

/** Its owner and admins may pause it, only its owner may resume it. */
export const setScheduleActive = defineOperation({
  ...own,
  name: "chat.schedule.set-active",
  idempotency: "natural",
  calls: ["auth", "workspace"],
  routes: [{ method: "PUT", path: "/schedules/:id/active", summary: "Pause or resume a schedule" }],
  input: z.object({ id: scheduleId, active: z.boolean() }),
  output: z.object({ schedule: scheduleWire }),
});

/** Replaces the secret that signs what the webhook gets; the old one stops working at once. */
export const rotateScheduleSecret = defineOperation({
  ...own,
  access: { who: "session", proof: "recent" },
  name: "chat.schedule.rotate-secret",
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/schedules/:id/secret",
      summary: "Replace the signing secret of a schedule's webhook",
    },
  ],
  input: z.object({ id: scheduleId }),
  output: z.object({ secret: z.string() }),
});

/** Only its owner may. CONFLICT if a run hasn't ended. */
export const runSchedule = defineOperation({
  ...own,
  name: "chat.schedule.run",
  idempotency: "keyed",
  calls: ["auth", "workspace"],
  routes: [
    { method: "POST", path: "/schedules/:id/run", summary: "Run one of your schedules now" },
    {
      ...byKey("admin"),
      name: "gateway.developer-schedule.run",
      method: "POST",
      path: "/v1/schedules/:id/run",
      summary: "Run a schedule now",
    },
  ],
  input: z.object({ id: scheduleId }),
  output: z.object({ runId: z.uuid() }),
});

export const listScheduleRuns = defineOperation({
  ...own,
  name: "chat.schedule.list-runs",
  routes: [
    { method: "GET", path: "/schedules/:id/runs", summary: "List a schedule's runs, latest first" },
  ],
  input: z.object({
    id: scheduleId,
    cursor: pageCursor,
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  output: z.object({ runs: z.array(scheduleRunWire), nextCursor: nextPageCursor }),
});

/** Only its owner may read the text. */
export const getScheduleRun = defineOperation({
  ...own,
  name: "chat.schedule.get-run",
  routes: [
    {
      method: "GET",
      path: "/schedules/:id/runs/:runId",
      summary: "Get one run of a schedule with its result",
    },
  ],
  input: z.object({ id: scheduleId, runId: scheduleId }),
  output: z.object({
    run: scheduleRunWire,
    /** The result, at most 200,000 characters; null if there is none. */
    text: z.string().nullable(),
  }),
});

export const cancelScheduleRun = defineOperation({
  ...own,
  name: "chat.schedule.cancel-run",
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/schedules/:id/runs/:runId/cancel",
      summary: "Stop a run of a schedule",
    },
  ],
  input: z.object({ id: scheduleId, runId: scheduleId }),
  /** false: it had ended. */
  output: z.object({ success: z.boolean() }),
});

/** Adds a denied call to the approvals of its schedule. Only its owner may, with recent proof. */
export const allowDeniedCall = defineOperation({
  ...own,
  access: { who: "session", proof: "recent" },
  name: "chat.schedule.allow-call",
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/schedules/:id/runs/:runId/allow",
      summary: "Allow a call that a run was denied, for all later runs",
    },
  ],
  input: z.object({
    id: scheduleId,
    runId: scheduleId,
    /** Its place in `denied`, from 0. */
    call: z.number().int().min(0).max(1_000),
  }),
  output: z.object({ approvals: z.array(advanceApproval) }),
});

/** The next times of a timing that need not be saved. Refuses what couldn't be saved. */
export const previewSchedule = defineOperation({
  ...own,
  name: "chat.schedule.preview",
  idempotency: "natural",
  routes: [
    { method: "POST", path: "/schedules/preview", summary: "Get the next runs of a schedule" },
  ],
  input: z.object({ timing: scheduleTiming }),
  /** At most five, ISO 8601. */
  output: z.object({ runs: z.array(z.string()) }),
});

/** Starts a run that is due. */
export const startScheduleRun = defineJob({
  name: "chat.schedule.start-run",
  service: "chat",
  queue: "schedules",
  payload: z.object({ runId: z.uuid(), owner: z.string() }),
  attempts: 5,
  backoffMs: 2_000,
  // So that one person's many runs don't delay another's.
  fairBy: "owner",
});

/** Delivers what a run's answer says, once that has ended. */
export const endScheduleRun = defineJob({
  name: "chat.schedule.end-run",
  service: "chat",
  queue: "schedules",
  payload: z.object({ runId: z.uuid(), owner: z.string() }),
  attempts: 5,
  backoffMs: 2_000,
  fairBy: "owner",
});

/** Posts a run's result to its schedule's webhook. */
export const postScheduleResult = defineJob({
  name: "chat.schedule.post-result",
  service: "chat",
  queue: "schedule-webhooks",
  payload: z.object({ runId: z.uuid(), scheduleId: z.uuid() }),
  attempts: 8,
  backoffMs: 5_000,
  fairBy: "scheduleId",
});

/** Something its owner, or an admin, should know about a schedule. */
export const scheduleReported = defineEvent({
  name: "schedule.reported",
  service: "chat",
  consumers: ["workspace"],
  payload: z.object({
    /** The event's ID, so that redelivery changes nothing. */
    id: z.uuid(),
    /** null: the one person of an instance without accounts. */
    userId: z.number().int().nullable(),
    kind: z.enum(scheduleNoticeKinds),
    name: z.string(),
    fault: faultWire,
    scheduleId: z.uuid(),
    workspaceId: z.number().int(),
    /** Where the result is; null if it is nowhere in the app. */
    threadSlug: z.string().nullable(),
    /** ISO 8601. */
    at: z.string(),
  }),
});

/** A schedule was created, changed or deleted, or one of its runs began, ended or was delivered. */
export const scheduleChanged = defineEvent({
  name: "schedule.changed",
  service: "chat",
  consumers: [],
  // Written by the triggers of `AnnounceSchedules`.
  payload: z.object({ scheduleId: z.uuid(), userId: z.number().int().nullable() }),
});

export const scheduleContracts: Contracts = {
  operations: [
    listSchedules,
    getSchedule,
    createSchedule,
    updateSchedule,
    deleteSchedule,
    setScheduleActive,
    rotateScheduleSecret,
    runSchedule,
    listScheduleRuns,
    getScheduleRun,
    cancelScheduleRun,
    allowDeniedCall,
    previewSchedule,
  ],
  jobs: [startScheduleRun, endScheduleRun, postScheduleResult],
  events: [scheduleReported, scheduleChanged],
};
