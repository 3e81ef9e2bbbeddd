import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inThread, inWorkspace } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineJob, defineOperation, type Contracts } from "../operation.ts";

/**
 * Carrel-specific: what other threads have operations for, by slug. Archiving it unpins it; omitted
 * fields are unchanged.
 */
export const updateDefaultThread = defineOperation({
  name: "chat.thread.update-default",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/default-thread",
      summary: "Rename, pin or archive your default thread, or undo it",
    },
  ],
  input: z.object({
    slug,
    name: z.string().trim().min(1).max(255).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  }),
  output: z.object({ success: z.literal(true) }),
});

/**
 * Carrel-specific: empties it. Its turns are deleted like a thread: while deleted threads are kept,
 * they can be restored as an ordinary thread.
 */
export const clearDefaultThread = defineOperation({
  name: "chat.thread.clear-default",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/default-thread",
      summary: "Delete the chats of your default thread",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ success: z.literal(true) }),
});

export const threadWire = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  workspace_id: z.number().int(),
  user_id: z.number().int().nullable(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
});

export type ThreadWire = z.infer<typeof threadWire>;

export const listThreads = defineOperation({
  name: "chat.thread.list",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/threads",
      summary: "List your threads in a workspace, without the default thread",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ threads: z.array(threadWire), defaultThreadChatCount: z.number().int() }),
});

const markedThread = threadWire.extend({
  pinnedAt: z.string().nullable(),
  archivedAt: z.string().nullable(),
});

/**
 * Carrel-specific: the same list with pinned and archived threads marked, which existing clients
 * don't get.
 */
export const listMarkedThreads = defineOperation({
  name: "chat.thread.list-marked",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/marked-threads",
      summary: "List your threads in a workspace, with those you pinned or archived marked",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    threads: z.array(markedThread),
    defaultThreadChatCount: z.number().int(),
    /**
     * null before its first question. Its name is null until a person or a question has named it.
     */
    defaultThread: markedThread
      .omit({ slug: true })
      .extend({ name: z.string().nullable() })
      .nullish(),
  }),
});

export type MarkedThread = z.infer<typeof listMarkedThreads.output>["threads"][number];

export const createThread = defineOperation({
  name: "chat.thread.create",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "keyed",
  routes: [{ method: "POST", path: "/workspace/:slug/thread/new", summary: "Create a thread" }],
  input: z.object({ slug }),
  output: z.object({ thread: threadWire.nullable(), message: z.string().nullable() }),
});

export const updateThread = defineOperation({
  name: "chat.thread.update",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/thread/:threadSlug/update",
      summary: "Rename a thread",
    },
  ],
  input: z.object({ slug, threadSlug: slug, name: z.string().max(255).nullish() }),
  output: z.object({ thread: threadWire, fault: faultWire.nullish() }),
  english: { field: "message" },
});

/** Carrel-specific. Archiving a thread unpins it; omitted fields are unchanged. */
export const markThread = defineOperation({
  name: "chat.thread.mark",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/thread/:threadSlug/mark",
      summary: "Pin or archive a thread, or undo it",
    },
  ],
  input: z.object({
    slug,
    threadSlug: slug,
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  }),
  output: z.object({ success: z.literal(true) }),
});

export const deleteThread = defineOperation({
  name: "chat.thread.delete",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/thread/:threadSlug",
      summary: "Delete a thread and its chats",
    },
  ],
  input: z.object({ slug, threadSlug: slug }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

export const deleteThreads = defineOperation({
  name: "chat.thread.delete-many",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/thread-bulk-delete",
      summary: "Delete several of your threads",
    },
  ],
  input: z.object({ slug, slugs: z.array(z.string().max(255)).max(10_000).default([]) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/**
 * Internal: resolves one of the caller's threads to its id (null: the default thread before its
 * first message).
 */
export const findThreadId = defineOperation({
  name: "chat.thread.find-id",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ threadSlug: z.string().nullable() }),
  output: z.object({ threadId: z.number().int() }),
});

/**
 * Creates a thread with the visible turns of the active path up to `chatId`; it is named
 * after the last question, or `Forked Thread`.
 */
export const forkThread = defineOperation({
  name: "chat.thread.fork",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: {
    ...inThread,
    BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
    NOT_FOUND: { status: 404, kind: "json", body: { message: "Chat not found." } },
  },
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/thread/fork",
      summary: "Fork a thread at an answer",
    },
  ],
  input: z.object({ slug, chatId: rowId.nullish(), threadSlug: z.string().max(255).nullish() }),
  output: z.object({ newThreadSlug: z.string() }),
});

/**
 * Preference label that lets the language model write titles ("true"; off by default); chat reads
 * it along with the settings.
 */
export const threadTitlesLabel = "thread_titles_by_model";

/**
 * Writes titles with the language model for a thread still named after its question and others of
 * its owner, in one request.
 */
export const titleThread = defineJob({
  name: "thread.title",
  service: "chat",
  queue: "title",
  payload: z.object({ threadId: z.number().int(), turnId: z.number().int() }),
  attempts: 2,
  backoffMs: 5_000,
});

/**
 * A thread was renamed, by its owner or with a title from the language model. Only its owner is
 * notified.
 */
export const threadRenamed = defineEvent({
  name: "thread.renamed",
  service: "chat",
  consumers: [],
  payload: z.object({
    workspaceId: z.number().int(),
    threadId: z.number().int(),
    slug: z.string(),
    name: z.string(),
    userId: z.number().int().nullable(),
  }),
});

/**
 * Threads were created (including forks), deleted, restored, pinned or archived, so the owner's
 * other devices update. If one is lost, only a sidebar stays outdated.
 */
export const threadsChanged = defineEvent({
  name: "threads.changed",
  service: "chat",
  consumers: [],
  payload: z.object({
    workspaceId: z.number().int(),
    change: z.enum(["created", "deleted", "restored", "marked"]),
    slugs: z.array(z.string()),
    userId: z.number().int().nullable(),
  }),
});

/**
 * Threads were permanently deleted (chat writes this to its outbox in the deleting transaction,
 * with at most 1,000 ids each): ingest removes the files attached to them.
 */
export const threadDeleted = defineEvent({
  name: "thread.deleted",
  service: "chat",
  consumers: ["ingest"],
  payload: z.object({
    workspaceId: z.number().int(),
    threadIds: z.array(z.number().int()).max(1_000),
  }),
});

/**
 * Carrel-specific: deleted threads that can still be restored (CARREL_TRASH_DAYS), newest first.
 */
export const listTrash = defineOperation({
  name: "chat.thread.trash",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/trash",
      summary: "List your deleted threads that can be restored",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    days: z.number().int(),
    threads: z.array(threadWire.extend({ deletedAt: z.string(), purgedAt: z.string() })),
  }),
});

export const restoreThread = defineOperation({
  name: "chat.thread.restore",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/thread/:threadSlug/restore",
      summary: "Restore a deleted thread",
    },
  ],
  input: z.object({ slug, threadSlug: slug }),
  output: z.object({ thread: threadWire }),
});

export const purgeThread = defineOperation({
  name: "chat.thread.purge",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  output: z.void(),
  success: { status: 200, kind: "text" },
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/trash/:threadSlug",
      summary: "Permanently delete a thread",
    },
  ],
  input: z.object({ slug, threadSlug: slug }),
});

export const threadContracts: Contracts = {
  operations: [
    listThreads,
    listMarkedThreads,
    createThread,
    updateThread,
    markThread,
    deleteThread,
    deleteThreads,
    findThreadId,
    forkThread,
    updateDefaultThread,
    clearDefaultThread,
    listTrash,
    restoreThread,
    purgeThread,
  ],
  jobs: [titleThread],
  events: [threadRenamed, threadsChanged, threadDeleted],
};
