import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inThread } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { questionMentions } from "./conversation.ts";
import { reasoningBlock } from "./reasoning.ts";
import { sharedStep } from "./run-step.ts";
import { answerKind } from "./turn.ts";

/*
 * Carrel-specific: read-only links to a thread (docs/decisions/share-links.md).
 */

/** `team`: signed-in users. */
export const shareAudiences = ["team", "anyone"] as const;
export type ShareAudience = (typeof shareAudiences)[number];

/** The widest audience an admin allows. */
export const sharingLimits = ["off", ...shareAudiences] as const;
export type SharingLimit = (typeof sharingLimits)[number];

/** Preference label of the limit; chat reads it along with the settings. */
export const sharingLabel = "thread_sharing";
export const defaultSharing: SharingLimit = "anyone";

/** In days; null: never expires. */
export const shareLifetimes = [1, 7, 30] as const;
const expiresInDays = z.literal(shareLifetimes).nullable();

/** A link as its owner sees it. Its token is returned only when the link is created. */
export const shareWire = z.object({
  id: z.number().int(),
  audience: z.enum(shareAudiences),
  /** ISO 8601; null: never. */
  expiresAt: z.string().nullable(),
  isExpired: z.boolean(),
  /** Whether it shows the model's reasoning. */
  showReasoning: z.boolean(),
  createdAt: z.string(),
  /** When the shown turns were chosen: on creation and by each update. */
  sharedAt: z.string(),
  /** Whether it shows the whole current thread. */
  isCurrent: z.boolean(),
});
export type ShareWire = z.infer<typeof shareWire>;

const thread = z.string().min(1).max(255).nullish();
const refused = {
  DISABLED: { status: 403, kind: "json", body: { error: "$message" } },
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
} as const;

/** `thread` absent: the default thread. */
export const getShare = defineOperation({
  name: "chat.share.get",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  calls: ["workspace"],
  routes: [
    { method: "GET", path: "/workspace/:slug/share", summary: "Get the share link of your thread" },
  ],
  input: z.object({ slug, thread }),
  output: z.object({ share: shareWire.nullable(), sharing: z.enum(sharingLimits) }),
});

/**
 * Creates a thread's link, or replaces it and revokes the previous one. The token can't be read
 * again, so the result isn't kept either.
 */
export const createShare = defineOperation({
  name: "chat.share.create",
  service: "chat",
  access: { who: "session", workspace: true, proof: "none" },
  errors: { ...inThread, ...refused },
  idempotency: "none",
  calls: ["workspace"],
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/share",
      summary: "Create a share link of your thread, or replace it",
    },
  ],
  input: z.object({
    slug,
    thread,
    audience: z.enum(shareAudiences),
    expiresInDays,
    showReasoning: z.boolean().default(false),
  }),
  output: z.object({ share: shareWire, token: z.string() }),
});

/** `refresh` updates the link to the current thread; absent fields are unchanged. */
export const updateShare = defineOperation({
  name: "chat.share.update",
  service: "chat",
  access: { who: "session" },
  errors: refused,
  idempotency: "natural",
  calls: ["workspace"],
  routes: [{ method: "PUT", path: "/shares/:id", summary: "Change one of your share links" }],
  input: z.object({
    id: rowId,
    audience: z.enum(shareAudiences).optional(),
    expiresInDays: expiresInDays.optional(),
    showReasoning: z.boolean().optional(),
    refresh: z.boolean().optional(),
  }),
  output: z.object({ share: shareWire }),
});

/** Owners revoke their own links; admins can revoke any. */
export const revokeShare = defineOperation({
  name: "chat.share.revoke",
  service: "chat",
  access: { who: "session" },
  idempotency: "keyed",
  routes: [{ method: "DELETE", path: "/shares/:id", summary: "Revoke a share link" }],
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});

const listedShare = shareWire.extend({
  thread: z.object({
    /** null: the default thread. */
    slug: z.string().nullable(),
    name: z.string(),
  }),
  /** null if the owner can no longer use it. */
  workspace: z.object({ slug: z.string(), name: z.string() }).nullable(),
});

/** At most this many links are listed, newest first. */
export const maxListedShares = 500;

export const listShares = defineOperation({
  name: "chat.share.list",
  service: "chat",
  access: { who: "session" },
  calls: ["workspace"],
  routes: [{ method: "GET", path: "/shares", summary: "List your share links" }],
  input: z.object({}),
  output: z.object({ shares: z.array(listedShare) }),
});

export const listAllShares = defineOperation({
  name: "chat.share.list-all",
  service: "chat",
  access: { who: "admin" },
  calls: ["workspace", "auth"],
  routes: [{ method: "GET", path: "/admin/shares", summary: "List all share links" }],
  input: z.object({}),
  output: z.object({
    shares: z.array(listedShare.extend({ owner: z.string().nullable() })),
  }),
});

/** A cited passage, without anything that identifies the document or its location. */
export const sharedSource = z.object({
  /** Number of its citation mark. */
  number: z.number().int(),
  title: z.string(),
  page: z.number().int().nullable(),
  /** The innermost heading; absent if there is none. */
  heading: z.string().optional(),
  text: z.string(),
  /** Its document isn't for everyone, so nothing of it is shown. */
  isHidden: z.literal(true).optional(),
});
export type SharedSource = z.infer<typeof sharedSource>;

export const sharedTurn = z.object({
  question: z.string(),
  /**
   * What was chosen with `@` for the question: its asker sees all of it, other signed-in users the
   * model. Absent if nothing.
   */
  mentions: questionMentions.optional(),
  answer: z.string(),
  /** The model's reasoning, if the link shows it; absent if there is none. */
  reasoning: z.array(reasoningBlock).optional(),
  /** What its tools did, without inputs and results; absent if it called none. */
  steps: z.array(sharedStep).optional(),
  answerKind: answerKind.optional(),
  /** ISO 8601. */
  sentAt: z.string(),
  /** null: answered without a language model. */
  model: z.string().nullable(),
  sources: z.array(sharedSource),
});
export type SharedTurn = z.infer<typeof sharedTurn>;

/** What a link shows, in pages; pass `next` as `after` of the next one. */
const sharedPage = {
  service: "chat",
  // Otherwise the request lacks the client's address, by which failed attempts are limited.
  idempotency: "none",
  calls: ["workspace", "auth", "ingest"],
  input: z.object({
    token: z.string().max(255),
    after: z.coerce.number().int().min(0).max(10_000_000).default(0),
  }),
  output: z.object({
    /** null: the default thread. */
    name: z.string().nullable(),
    sharedAt: z.string(),
    turns: z.array(sharedTurn),
    next: z.number().int().nullable(),
  }),
} as const;

export const readShare = defineOperation({
  ...sharedPage,
  name: "chat.share.read",
  access: { who: "public" },
  routes: [{ method: "GET", path: "/share/:token", summary: "Read a thread shared with anyone" }],
});

export const readShareAsUser = defineOperation({
  ...sharedPage,
  name: "chat.share.read-as-user",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/share/:token/team",
      summary: "Read a thread shared with anyone or with signed-in users",
    },
  ],
});

export const shareContracts: Contracts = {
  operations: [
    getShare,
    createShare,
    updateShare,
    revokeShare,
    listShares,
    listAllShares,
    readShare,
    readShareAsUser,
  ],
};
