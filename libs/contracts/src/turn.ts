import { z } from "zod";
import { noThread, noWorkspace, threadWire } from "./chat.ts";
import { rowId, slug } from "./coercion.ts";
import { defineJob, defineOperation } from "./operation.ts";

const inWorkspace = { WORKSPACE_NOT_FOUND: noWorkspace };
const inThread = { WORKSPACE_NOT_FOUND: noWorkspace, THREAD_NOT_FOUND: noThread };
const member = { who: "session", workspace: true } as const;
const done = { output: z.void(), success: { status: 200, kind: "text" } } as const;
const json400 = (shape: Record<string, unknown>) => ({
  status: 400,
  kind: "json" as const,
  body: shape,
});

/* Turns of a thread form a tree: editing a question or asking again makes a sibling. The wire of existing clients shows
   the active path alone; ids grow along every path. */

/**
 * The turns of the active path from `startingId` on become a parked branch: nothing is lost, the
 * next question continues before them.
 */
export const deleteEditedChats = defineOperation({
  name: "chat.turn.park",
  service: "chat",
  access: member,
  errors: inWorkspace,
  idempotency: "natural",
  ...done,
  http: {
    method: "DELETE",
    path: "/workspace/:slug/delete-edited-chats",
    summary: "Take the turns from one on out of the active path of the default thread",
  },
  input: z.object({ slug, startingId: rowId }),
});
export const deleteEditedThreadChats = defineOperation({
  name: "chat.turn.park-in-thread",
  service: "chat",
  access: member,
  errors: inThread,
  idempotency: "natural",
  ...done,
  http: {
    method: "DELETE",
    path: "/workspace/:slug/thread/:threadSlug/delete-edited-chats",
    summary: "Take the turns from one on out of the active path of a thread",
  },
  input: z.object({ slug, threadSlug: slug, startingId: rowId }),
});
const newText = {
  chatId: rowId,
  newText: z.string().max(1_000_000),
  role: z.enum(["assistant", "user"]).catch("assistant").default("assistant"),
};
const refusedText = {
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  NOT_FOUND: { status: 404, kind: "json", body: { error: "Chat not found." } },
} as const;
/** Rewrites one half of a turn in place; blank text is BAD_INPUT. */
export const updateChat = defineOperation({
  name: "chat.turn.update",
  service: "chat",
  access: member,
  errors: { ...inWorkspace, ...refusedText },
  idempotency: "natural",
  ...done,
  http: {
    method: "POST",
    path: "/workspace/:slug/update-chat",
    summary: "Change the text of an answer or a question",
  },
  input: z.object({ slug, ...newText }),
});
export const updateThreadChat = defineOperation({
  name: "chat.turn.update-in-thread",
  service: "chat",
  access: member,
  errors: { ...inThread, ...refusedText },
  idempotency: "natural",
  ...done,
  http: {
    method: "POST",
    path: "/workspace/:slug/thread/:threadSlug/update-chat",
    summary: "Change the text of an answer or a question in a thread",
  },
  input: z.object({ slug, threadSlug: slug, ...newText }),
});
/** Only 1 and true are good, 0 and false bad; null clears. */
export const rateChat = defineOperation({
  name: "chat.turn.rate",
  service: "chat",
  access: member,
  errors: { ...inWorkspace, NOT_FOUND: { status: 404, kind: "json", body: { success: false } } },
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/chat-feedback/:chatId",
    summary: "Thumbs up or down for an answer",
  },
  input: z.object({
    slug,
    chatId: rowId,
    feedback: z
      .union([z.boolean(), z.literal([0, 1]), z.null()])
      .transform((value) => (value === null ? null : value === true || value === 1)),
  }),
  output: z.object({ success: z.boolean() }),
});
export const hideChat = defineOperation({
  name: "chat.turn.hide",
  service: "chat",
  access: { who: "session" },
  errors: {
    NOT_FOUND: { status: 404, kind: "json", body: { success: false, error: "Chat not found." } },
  },
  idempotency: "natural",
  calls: ["workspace"],
  http: { method: "PUT", path: "/workspace/workspace-chats/:id", summary: "Hide one own turn" },
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
});
/** Ours: makes the path through this turn the active one, on to its newest end. */
export const activateTurn = defineOperation({
  name: "chat.turn.activate",
  service: "chat",
  access: member,
  errors: {
    ...inWorkspace,
    NOT_FOUND: { status: 404, kind: "json", body: { error: "Chat not found." } },
  },
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/turns/:chatId/activate",
    summary: "Show the branch that this turn is in",
  },
  input: z.object({ slug, chatId: rowId }),
  output: z.object({ success: z.boolean() }),
});
/**
 * A new thread with the visible turns of the active path up to `chatId`; its name is the last
 * answer, cut to 22 characters, or `Forked Thread`.
 */
export const forkThread = defineOperation({
  name: "chat.thread.fork",
  service: "chat",
  access: member,
  errors: {
    ...inThread,
    BAD_INPUT: json400({ message: "$message" }),
    NOT_FOUND: { status: 404, kind: "json", body: { message: "Chat not found." } },
  },
  idempotency: "keyed",
  http: {
    method: "POST",
    path: "/workspace/:slug/thread/fork",
    summary: "Go on from an answer in a new thread",
  },
  input: z.object({ slug, chatId: rowId.nullish(), threadSlug: z.string().max(255).nullish() }),
  output: z.object({ newThreadSlug: z.string() }),
});

/** Ours: deleted threads that can be brought back (CARREL_TRASH_DAYS), newest first. */
export const listTrash = defineOperation({
  name: "chat.thread.trash",
  service: "chat",
  access: member,
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/trash",
    summary: "Own deleted threads that can be brought back",
  },
  input: z.object({ slug }),
  output: z.object({
    days: z.number().int(),
    threads: z.array(threadWire.extend({ deletedAt: z.string(), purgedAt: z.string() })),
  }),
});
export const restoreThread = defineOperation({
  name: "chat.thread.restore",
  service: "chat",
  access: member,
  errors: inThread,
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/thread/:threadSlug/restore",
    summary: "Bring a deleted thread back",
  },
  input: z.object({ slug, threadSlug: slug }),
  output: z.object({ thread: threadWire }),
});
export const purgeThread = defineOperation({
  name: "chat.thread.purge",
  service: "chat",
  access: member,
  errors: inThread,
  idempotency: "natural",
  ...done,
  http: {
    method: "DELETE",
    path: "/workspace/:slug/trash/:threadSlug",
    summary: "Delete a thread for good",
  },
  input: z.object({ slug, threadSlug: slug }),
});

/**
 * Internal: own threads and messages that hold the words, best first. `excerpt` is plain text round
 * the first hit.
 */
export const searchChats = defineOperation({
  name: "chat.search",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({
    term: z.string().max(200),
    limit: z.number().int().min(1).max(50).default(20),
  }),
  output: z.object({
    threads: z.array(
      z.object({ slug: z.string(), name: z.string(), workspaceId: z.number().int() }),
    ),
    messages: z.array(
      z.object({
        chatId: z.number().int(),
        threadSlug: z.string().nullable(),
        threadName: z.string(),
        workspaceId: z.number().int(),
        excerpt: z.string(),
        sentAt: z.number().int(),
      }),
    ),
  }),
});
/** A view over workspace and chat; fewer than three characters find nothing. `messages` is ours. */
export const searchEverything = defineOperation({
  name: "gateway.search",
  service: "gateway",
  access: { who: "session" },
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/search",
    mount: "custom",
    summary: "Workspaces, threads and messages by their words",
  },
  input: z.object({ searchTerm: z.string().max(200).default("") }),
  output: z.object({
    workspaces: z.array(z.object({ slug: z.string(), name: z.string() })),
    threads: z.array(
      z.object({
        slug: z.string(),
        name: z.string(),
        workspace: z.object({ slug: z.string(), name: z.string() }),
      }),
    ),
    messages: z.array(
      z.object({
        chatId: z.number().int(),
        threadSlug: z.string().nullable(),
        threadName: z.string(),
        workspace: z.object({ slug: z.string(), name: z.string() }),
        excerpt: z.string(),
        sentAt: z.number().int(),
      }),
    ),
  }),
});
/**
 * Internal: the active path of a thread as a document; at most 1 MB a page, `next` is where to go
 * on.
 */
export const exportThread = defineOperation({
  name: "chat.thread.export",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    threadSlug: z.string().nullable(),
    after: z.number().int().nullable().default(null),
    /** Characters of the turn after `after` that are known already (an answer may take several pages). */ from: z
      .number()
      .int()
      .min(0)
      .default(0),
  }),
  output: z.object({
    name: z.string(),
    turns: z.array(
      z.object({
        id: z.number().int(),
        question: z.string(),
        answer: z.string(),
        sources: z.array(z.object({ title: z.string(), page: z.number().int().nullable() })),
        sentAt: z.number().int(),
        mode: z.string(),
      }),
    ),
    next: z.number().int().nullable(),
    /** `from` of the next call: its first turn goes on with the last of this page, and has the same id. */ nextFrom:
      z.number().int().default(0),
  }),
});
/** Files; `html` prints well and runs no script. */
export const exportChat = defineOperation({
  name: "gateway.chat.export",
  service: "gateway",
  access: { who: "session" },
  errors: {
    WORKSPACE_NOT_FOUND: noWorkspace,
    THREAD_NOT_FOUND: noThread,
    BAD_INPUT: json400({ error: "$message" }),
  },
  http: {
    method: "POST",
    path: "/export-chat/:type",
    mount: "custom",
    summary: "A thread as a file: markdown, plaintext, json or html",
  },
  input: z.object({
    type: z.string().max(20),
    workspaceSlug: slug,
    threadSlug: z.string().max(255).nullish(),
  }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});
/** 204 until audio providers come; 404 for another's chat. */
export const speakChat = defineOperation({
  name: "chat.turn.speak",
  service: "chat",
  access: member,
  errors: { ...inWorkspace, NOT_FOUND: { status: 404, kind: "text" } },
  http: {
    method: "GET",
    path: "/workspace/:slug/tts/:chatId",
    summary: "The answer as speech, where an audio provider is set",
  },
  input: z.object({ slug, chatId: rowId }),
  output: z.void(),
  success: { status: 204, kind: "empty" },
});

/**
 * No only where every message goes to agents by itself, which no mode of ours does (wire-contract
 * 3.3).
 */
export const isAgentCommandAvailable = defineOperation({
  name: "chat.agent.available",
  service: "chat",
  access: member,
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/is-agent-command-available",
    summary: "Whether the command @agent is offered",
  },
  input: z.object({ slug }),
  output: z.object({ showAgentCommand: z.boolean() }),
});

/** A short title from the language model for a thread that was named by its first words. */
export const titleThread = defineJob({
  name: "thread.title",
  service: "chat",
  queue: "title",
  payload: z.object({ threadId: z.number().int(), turnId: z.number().int() }),
  attempts: 2,
  backoffMs: 5_000,
});
