import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inThread, inWorkspace } from "../error-reply.ts";
import { defineEvent, defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { sourceWire } from "../source.ts";

export const metricsWire = z.object({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
  outputTps: z.number(),
  duration: z.number(),
  model: z.string().optional(),
  provider: z.string().optional(),
  timestamp: z.string(),
});

export type MetricsWire = z.infer<typeof metricsWire>;

export const attachmentWire = z.object({
  name: z.string(),
  mime: z.string(),
  contentString: z.string(),
});

/**
 * Between services: `blobKey` is where an image's bytes are, `contentString` is empty then. Clients
 * get data URLs; the gateway puts them in.
 */
export const storedAttachment = attachmentWire.extend({ blobKey: z.string().max(200).optional() });

export type StoredAttachment = z.infer<typeof storedAttachment>;

export const historyItem = z.discriminatedUnion("role", [
  z.object({
    role: z.literal("user"),
    content: z.string(),
    sentAt: z.number().int(),
    attachments: z.array(storedAttachment),
    chatId: z.number().int(),
  }),
  z.object({
    role: z.literal("assistant"),
    type: z.string(),
    content: z.string(),
    sources: z.array(sourceWire),
    chatId: z.number().int(),
    sentAt: z.number().int(),
    feedbackScore: z.boolean().nullable(),
    metrics: z.union([metricsWire, z.object({})]),
  }),
]);

export type HistoryItem = z.infer<typeof historyItem>;

/**
 * Ours, in the order of the thread: also turns that failed, were stopped or still run (existing
 * clients never see those).
 */
export const turnWire = z.object({
  id: z.number().int(),
  question: z.string(),
  answer: z.string(),
  sources: z.array(sourceWire),
  sentAt: z.number().int(),
  state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
  error: z.string().nullable(),
  generationId: z.string().nullable(),
  mode: z.enum(["chat", "query"]),
  metrics: metricsWire.nullable(),
  refused: z.boolean(),
  /** The turn before it on its path; null: the first one. */ parentId: z
    .number()
    .int()
    .nullable()
    .optional(),
  /** Ids of all versions of this turn in order, its own included; empty when there is one. */ siblings:
    z.array(z.number().int()).optional(),
  /** Of pictures that a page of turns cannot hold the content is empty. */ attachments: z
    .array(storedAttachment)
    .optional(),
  feedback: z.boolean().nullable().optional(),
  /** What was told beside the answer (`statusResponse`); existing clients see it only while the answer comes. */ notices:
    z.array(z.string()).optional(),
});

export type TurnWire = z.infer<typeof turnWire>;

/**
 * `before` and `next` are for the gateway, which puts a whole history together: a reply between
 * services holds 1 MB. No `next` is part of the answer.
 */
const history = {
  input: z.object({ slug, before: rowId.optional() }),
  output: z.object({ history: z.array(historyItem), next: z.number().int().nullish() }),
};

export const listChats = defineOperation({
  ...history,
  name: "chat.turn.list",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/chats",
      summary: "History of the default thread",
    },
  ],
});

export const listThreadChats = defineOperation({
  ...history,
  input: history.input.extend({ threadSlug: slug }),
  name: "chat.turn.list-in-thread",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/thread/:threadSlug/chats",
      summary: "History of a thread",
    },
  ],
});

/**
 * Ours: turns with their states; `threadSlug` null is the default thread. Newest `limit` turns
 * before `before`, oldest first.
 */
export const listTurns = defineOperation({
  name: "chat.turn.page",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/turns",
      summary: "Turns of a thread with their states",
    },
  ],
  input: z.object({
    slug,
    thread: z.string().max(255).optional(),
    before: rowId.optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  output: z.object({ turns: z.array(turnWire), hasMore: z.boolean() }),
});

export const deleteChats = defineOperation({
  name: "chat.turn.delete",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    { method: "DELETE", path: "/workspace/:slug/delete-chats", summary: "Delete own turns" },
  ],
  input: z.object({ slug, chatIds: z.array(rowId).max(10_000) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/**
 * Turns of a thread were rewritten, rated, hidden, deleted, or another version is shown. Only its
 * owner is told; a lost one costs a tab a refresh.
 */
export const turnsChanged = defineEvent({
  name: "turns.changed",
  service: "chat",
  consumers: [],
  payload: z.object({
    workspaceId: z.number().int(),
    threadId: z.number().int(),
    userId: z.number().int().nullable(),
  }),
});

export const turnContracts: Contracts = {
  operations: [listChats, listThreadChats, listTurns, deleteChats],
  events: [turnsChanged],
};
