import { z } from "zod";
import { rowId, slug } from "./coercion.ts";
import { defineEvent, defineOperation, type ErrorReply } from "./operation.ts";
import { sourceWire, type SourceWire } from "./source.ts";

export const noWorkspace: ErrorReply = {
  status: 404,
  kind: "text",
  text: "Workspace does not exist.",
};
export const noThread: ErrorReply = {
  status: 404,
  kind: "text",
  text: "Workspace thread does not exist.",
};
const inThread = { WORKSPACE_NOT_FOUND: noWorkspace, THREAD_NOT_FOUND: noThread };
const inWorkspace = { WORKSPACE_NOT_FOUND: noWorkspace };

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

export const listThreads = defineOperation({
  name: "chat.thread.list",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/threads",
    summary: "Own threads of a workspace, without the default thread",
  },
  input: z.object({ slug }),
  output: z.object({ threads: z.array(threadWire), defaultThreadChatCount: z.number().int() }),
});
export const createThread = defineOperation({
  name: "chat.thread.create",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "keyed",
  http: { method: "POST", path: "/workspace/:slug/thread/new", summary: "Make a thread" },
  input: z.object({ slug }),
  output: z.object({ thread: threadWire.nullable(), message: z.string().nullable() }),
});
export const updateThread = defineOperation({
  name: "chat.thread.update",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/thread/:threadSlug/update",
    summary: "Rename a thread",
  },
  input: z.object({ slug, threadSlug: slug, name: z.string().max(255).nullish() }),
  output: z.object({ thread: threadWire, message: z.string().nullable() }),
});
export const deleteThread = defineOperation({
  name: "chat.thread.delete",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/workspace/:slug/thread/:threadSlug",
    summary: "Delete a thread and its chats",
  },
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
  http: {
    method: "DELETE",
    path: "/workspace/:slug/thread-bulk-delete",
    summary: "Delete several own threads",
  },
  input: z.object({ slug, slugs: z.array(z.string().max(255)).max(10_000).default([]) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

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
  http: {
    method: "GET",
    path: "/workspace/:slug/chats",
    mount: "custom",
    summary: "History of the default thread",
  },
});
export const listThreadChats = defineOperation({
  ...history,
  input: history.input.extend({ threadSlug: slug }),
  name: "chat.turn.list-in-thread",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  http: {
    method: "GET",
    path: "/workspace/:slug/thread/:threadSlug/chats",
    mount: "custom",
    summary: "History of a thread",
  },
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
  http: {
    method: "GET",
    path: "/workspace/:slug/turns",
    mount: "custom",
    summary: "Turns of a thread with their states",
  },
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
  http: { method: "DELETE", path: "/workspace/:slug/delete-chats", summary: "Delete own turns" },
  input: z.object({ slug, chatIds: z.array(rowId).max(10_000) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/**
 * Frames of the stream, wire-contract 4.2, as the service writes them to the generation's stream.
 */
export const streamFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("abort"),
    /** While streaming; before it the frame carries `id` alone. */ uuid: z.string().optional(),
    id: z.string().optional(),
    textResponse: z.null(),
    sources: z.array(sourceWire),
    close: z.literal(true),
    error: z.string(),
  }),
  z.object({
    type: z.literal("textResponse"),
    uuid: z.string().optional(),
    id: z.string().optional(),
    textResponse: z.string(),
    sources: z.array(sourceWire),
    /** false: clients show it as if it were written. */ close: z.boolean(),
    error: z.union([z.literal(false), z.null(), z.string()]),
    action: z.string().optional(),
    chatId: z.number().int().optional(),
    attachments: z.array(attachmentWire).optional(),
  }),
  z.object({
    type: z.literal("textResponseChunk"),
    uuid: z.string(),
    textResponse: z.string(),
    sources: z.array(sourceWire),
    close: z.boolean(),
    error: z.literal(false),
    metrics: metricsWire.optional(),
  }),
  z.object({
    type: z.literal("finalizeResponseStream"),
    uuid: z.string(),
    close: z.literal(true),
    error: z.literal(false),
    chatId: z.number().int().optional(),
    metrics: metricsWire,
  }),
  z.object({
    type: z.literal("statusResponse"),
    uuid: z.string().optional(),
    id: z.string().optional(),
    textResponse: z.string(),
    sources: z.array(sourceWire),
    close: z.literal(true),
    animate: z.boolean(),
    error: z.null(),
  }),
]);
export type StreamFrame = z.infer<typeof streamFrame>;
/** Frame without a type, thread route only: the first message names the thread. */
export interface RenameThreadFrame {
  action: "rename_thread";
  thread: { slug: string; name: string };
}
/** Frames that only clients with `X-Carrel-Stream: 1` get. */
export type CarrelFrame =
  | { type: "generationStarted"; generationId: string; chatId: number; queued: boolean }
  /**
   * What was chosen for the answer, before its first text: an answer that breaks off keeps them.
   * The last one counts.
   */
  | { type: "generationSources"; sources: SourceWire[] }
  | {
      type: "generationStage";
      stage: "queued" | "searching" | "reading" | "writing";
      documents?: number;
      passages?: number;
      milliseconds?: number;
    };
export type GenerationFrame = StreamFrame | RenameThreadFrame | CarrelFrame;

export const chatMessage = z.object({
  slug,
  threadSlug: slug.optional(),
  // Empty, absent and non-string messages have their own 400 body on this wire, so they reach the
  // controller.
  message: z.unknown().optional(),
  attachments: z.array(attachmentWire).max(20).optional(),
  mode: z.enum(["chat", "query"]).optional(),
  /** Ours: the turn that this question is a new version of (an edit, or the same text for another answer); the earlier version is kept as a branch. */ replaces:
    rowId.nullish(),
});
export const streamChat = defineOperation({
  name: "gateway.generation.stream",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  http: {
    method: "POST",
    path: "/workspace/:slug/stream-chat",
    mount: "custom",
    bodyLimit: 50_000_000,
    summary: "Ask in the default thread; the answer is an event stream",
  },
  input: chatMessage,
  output: z.void(),
  success: { status: 200, kind: "sse" },
});
export const streamThreadChat = defineOperation({
  name: "gateway.generation.stream-in-thread",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: inThread,
  http: {
    method: "POST",
    path: "/workspace/:slug/thread/:threadSlug/stream-chat",
    mount: "custom",
    bodyLimit: 50_000_000,
    summary: "Ask in a thread; the answer is an event stream",
  },
  input: chatMessage,
  output: z.void(),
  success: { status: 200, kind: "sse" },
});
/**
 * Internal: writes the pending turn, queues the run, answers at once. Parts follow on stream
 * `gen:<generationId>`.
 */
export const startGeneration = defineOperation({
  name: "chat.generation.start",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "keyed",
  calls: ["ingest", "workspace"],
  input: z.object({
    threadSlug: z.string().nullable(),
    message: z.string(),
    attachments: z.array(storedAttachment).default([]),
    mode: z.enum(["chat", "query"]).optional(),
    /** The turn that this question is a new version of. NOT_FOUND when it is not one of the caller's in this thread. */ replaces:
      rowId.nullish(),
    /** As the client tells them, for dates in prompts. */ timeZone: z.string().max(64).nullish(),
    locale: z.string().max(35).nullish(),
  }),
  output: z.object({
    /**
     * null for commands (`/reset`) and for a met daily limit, whose whole answer is in `frames`.
     */
    generationId: z.string().nullable(),
    chatId: z.number().int().nullable(),
    queued: z.boolean(),
    frames: z.array(z.unknown()),
  }),
});
/**
 * Internal: state of a generation for attaching; when its stream has expired, `frames` rebuilds the
 * answer from PostgreSQL.
 */
export const attachGeneration = defineOperation({
  name: "chat.generation.attach",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({ generationId: z.uuid() }),
  output: z.object({
    chatId: z.number().int(),
    state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
    frames: z.array(z.unknown()).nullable(),
  }),
});
export const attachGenerationStream = defineOperation({
  name: "gateway.generation.attach",
  service: "gateway",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/generation/:id/stream",
    mount: "custom",
    summary: "Attach to a running or finished generation; resumes after Last-Event-ID",
  },
  input: z.object({ id: z.uuid() }),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});
export const cancelGeneration = defineOperation({
  name: "chat.generation.cancel",
  service: "chat",
  access: { who: "session" },
  idempotency: "natural",
  calls: ["workspace"],
  http: {
    method: "DELETE",
    path: "/generation/:id",
    summary: "Stop a generation; the text so far is kept",
  },
  input: z.object({ id: z.uuid() }),
  output: z.object({ success: z.boolean() }),
});
export const getThreadGeneration = defineOperation({
  name: "chat.generation.current",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  http: {
    method: "GET",
    path: "/workspace/:slug/thread/:threadSlug/generation",
    summary: "What runs in a thread; the thread `default` is the default thread",
  },
  input: z.object({ slug, threadSlug: slug }),
  output: z.object({
    generation: z
      .object({ id: z.string(), chatId: z.number().int(), state: z.enum(["queued", "running"]) })
      .nullable(),
  }),
});
/** Internal: part of the view of a workspace. */
export const getContextWindow = defineOperation({
  name: "chat.context.get",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["ingest", "workspace"],
  timeoutMs: 5_000,
  input: z.object({
    /** Whose files are counted; absent or null: the default thread. */ threadId: z
      .number()
      .int()
      .nullish(),
  }),
  output: z.object({
    contextWindow: z.number().int().nullable(),
    currentContextTokenCount: z.number().int(),
  }),
});
/** A generation went to queued, running or an end: sidebars show it live. */
export const generationChanged = defineEvent({
  name: "generation.changed",
  service: "chat",
  consumers: [],
  payload: z.object({
    workspaceId: z.number().int(),
    threadId: z.number().int(),
    generationId: z.string(),
    state: z.string(),
    /** Owner of the thread: only he is told. */ userId: z.number().int().nullable().optional(),
  }),
});
/**
 * A thread has another name: from its person, or a title from the language model. Only its owner is
 * told.
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
/**
 * Threads were made (a fork too), deleted or brought back: the owner's other devices follow. A lost
 * one costs a sidebar a refresh.
 */
export const threadsChanged = defineEvent({
  name: "threads.changed",
  service: "chat",
  consumers: [],
  payload: z.object({
    workspaceId: z.number().int(),
    change: z.enum(["created", "deleted", "restored"]),
    slugs: z.array(z.string()),
    userId: z.number().int().nullable(),
  }),
});
/**
 * Threads went for good (chat writes it into its outbox in the transaction that deletes them, at
 * most 1,000 ids in one): ingest removes the files that were dropped on them.
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
