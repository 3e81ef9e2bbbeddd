import { z } from "zod";
import { scheduleNoticeKinds } from "../chat/schedule-wire.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

/*
 * Carrel-specific: what happened to a person's things while they weren't looking. Kept for 90 days.
 */

/** How many a person can look back on. */
export const maxNotices = 50;

/**
 * `sync.removed`: a watched document was deleted with its source. `flow.denied`: a run of a flow was
 * denied something that wasn't approved in advance. `flow.failed`: a run that a program started
 * failed.
 */
export const noticeKinds = [
  "sync.stopped",
  "sync.removed",
  "flow.denied",
  "flow.failed",
  ...scheduleNoticeKinds,
] as const;

export const noticeWire = z.object({
  id: z.uuid(),
  kind: z.enum(noticeKinds),
  /** What it is about; null if that has restricted readers. */
  title: z.string().nullable(),
  fault: faultWire,
  /** Where to see it; null if it was in no workspace, or that was deleted. */
  workspaceSlug: z.string().nullable(),
  documentId: z.uuid().nullable(),
  connectionId: z.uuid().nullable(),
  scheduleId: z.uuid().nullable(),
  flowRunId: z.uuid().nullable(),
  /** Of a schedule's result. */
  threadSlug: z.string().nullable(),
  createdAt: z.string(),
  readAt: z.string().nullable(),
});
export type NoticeWire = z.infer<typeof noticeWire>;

export const listNotices = defineOperation({
  name: "workspace.notice.list",
  service: "workspace",
  access: { who: "session" },
  routes: [{ method: "GET", path: "/notices", summary: "List your latest notices" }],
  input: z.object({}),
  /** The latest first, at most `maxNotices`; `unread` counts only those. */
  output: z.object({ notices: z.array(noticeWire), unread: z.number().int() }),
});

export const readNotices = defineOperation({
  name: "workspace.notice.read",
  service: "workspace",
  access: { who: "session" },
  idempotency: "natural",
  routes: [{ method: "POST", path: "/notices/read", summary: "Mark your notices as read" }],
  /** Without ids, all of them. Others' and unknown ids are ignored. */
  input: z.object({ ids: z.array(z.uuid()).max(maxNotices).optional() }),
  output: z.object({ success: z.literal(true) }),
});

/** A person's notices changed, so that their open pages update. */
export const noticesChanged = defineEvent({
  name: "notices.changed",
  service: "workspace",
  consumers: [],
  payload: z.object({ userId: z.number().int().nullable() }),
});

export const noticeContracts: Contracts = {
  operations: [listNotices, readNotices],
  events: [noticesChanged],
};
