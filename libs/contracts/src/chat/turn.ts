import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inThread, inWorkspace } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { sourceWire } from "../source.ts";
import { chatModes, conversation, questionMentions } from "./conversation.ts";
import { reasoningBlock } from "./reasoning.ts";
import { formAnswer, formQuestion, generatedFile, runStep } from "./run-step.ts";

/**
 * What the built-in answerer writes if no sentence answers a question. closest-passages: the
 * closest excerpts, each a source. nothing-found: a note that no passage is close.
 */
export const answerKind = z.enum(["closest-passages", "nothing-found"]);
export type AnswerKind = z.infer<typeof answerKind>;

export const metricsWire = z.object({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
  outputTps: z.number(),
  duration: z.number(),
  model: z.string().optional(),
  provider: z.string().optional(),
  timestamp: z.string(),
  /** Only in answers that ended at a length limit. */
  finish_reason: z.literal("length").optional(),
  /** Only in answers that don't answer the question. */
  answer_kind: answerKind.optional(),
  /** In dollars; absent if the price isn't known. */
  inputCost: z.number().optional(),
  outputCost: z.number().optional(),
  totalCost: z.number().optional(),
});

export type MetricsWire = z.infer<typeof metricsWire>;

export const attachmentWire = z.object({
  name: z.string(),
  mime: z.string(),
  contentString: z.string(),
});

/**
 * Used between services: `blobKey` locates an image's bytes, and `contentString` is then empty. The
 * gateway replaces it with a data URL for clients.
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
    /** Of the type rechartVisualize: JSON of the last chart, with the answer's text as `caption`. */
    content: z.string(),
    sources: z.array(sourceWire),
    chatId: z.number().int(),
    sentAt: z.number().int(),
    feedbackScore: z.boolean().nullable(),
    metrics: z.union([metricsWire, z.object({})]),
    /** Files that an agent has made; absent if there are none. */
    outputs: z
      .array(z.object({ type: z.literal("fileDownloadCard"), payload: generatedFile }))
      .optional(),
    /** What an agent has asked, with the answers; absent if it has asked nothing. */
    clarifyingQuestions: z
      .array(
        z.object({
          questions: z.array(formQuestion),
          result: z.object({
            skipped: z.boolean(),
            answers: z.array(z.object({ skipped: z.boolean(), answer: formAnswer.nullable() })),
          }),
        }),
      )
      .optional(),
  }),
]);

export type HistoryItem = z.infer<typeof historyItem>;

/** What can be wrong with an answer; "other" may come with a comment. */
export const feedbackReasons = [
  "not-in-documents",
  "wrong",
  "incomplete",
  "off-topic",
  "other",
] as const;
export const feedbackReason = z.object({
  reason: z.enum(feedbackReasons),
  comment: z.string().trim().max(1_000).nullable().default(null),
});

export type FeedbackReason = z.infer<typeof feedbackReason>;

/**
 * Carrel-specific, in thread order: includes turns that failed, were stopped or are still running,
 * which existing clients never see.
 */
export const turnWire = z.object({
  id: z.number().int(),
  question: z.string(),
  /** Without reasoning. */
  answer: z.string(),
  /** The model's reasoning before or between the parts of the answer; absent if there is none. */
  reasoning: z.array(reasoningBlock).optional(),
  /** What its tools did, with positions in the answer; absent if it called none. */
  steps: z.array(runStep).optional(),
  sources: z.array(sourceWire),
  sentAt: z.number().int(),
  state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
  /**
   * Why it failed, in English; `fault` says the same as a code and is missing in turns stored
   * before codes existed.
   */
  error: z.string().nullable(),
  fault: faultWire.nullable().optional(),
  generationId: z.string().nullable(),
  mode: z.enum(chatModes),
  metrics: metricsWire.nullable(),
  refused: z.boolean(),
  /** The preceding turn on its path; null for the first. */
  parentId: z.number().int().nullable().optional(),
  /** Ids of all versions of this turn in order, including its own; empty if there is only one. */
  siblings: z.array(z.number().int()).optional(),
  /** By sibling, which question it asks: equal numbers for the same words. */
  siblingQuestions: z.array(z.number().int()).optional(),
  /** `content` is empty for images that do not fit into a page of turns. */
  attachments: z.array(storedAttachment).optional(),
  /** The schedule that asked it; absent if a person did. */
  scheduleId: z.uuid().optional(),
  /** What was chosen with `@` for the question; absent if nothing. */
  mentions: questionMentions.optional(),
  feedback: z.boolean().nullable().optional(),
  /** Why it was rated as bad, if the person said so. */
  feedbackReason: feedbackReason.nullable().optional(),
  /**
   * Notices shown next to the answer (`statusResponse`); existing clients see them only while it
   * streams. Plain strings were stored before notices had codes.
   */
  notices: z.array(z.union([z.string(), faultWire])).optional(),
});

export type TurnWire = z.infer<typeof turnWire>;

export const listChats = defineOperation({
  name: "gateway.turn.list",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/chats",
      summary: "Get the history of the default thread",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ history: z.array(historyItem) }),
});

export const listThreadChats = defineOperation({
  name: "gateway.turn.list-in-thread",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: inThread,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/thread/:threadSlug/chats",
      summary: "Get the history of a thread",
    },
  ],
  input: z.object({ slug, threadSlug: slug }),
  output: z.object({ history: z.array(historyItem) }),
});

/**
 * Internal: a page of a history as the JSON that clients receive, built by PostgreSQL and never
 * parsed in between (docs/decisions/gateway.md). Pages, because a reply between services is limited
 * to 1 MB: `next` is the `before` of the next, older page.
 */
export const readHistory = defineOperation({
  name: "chat.turn.read-history",
  service: "chat",
  calls: ["ingest"],
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    /** Slug of the thread; null: the caller's default thread. */
    thread: slug.nullable(),
    /** Replaces `thread`; if it doesn't exist, the history is empty. */
    conversation: conversation.nullish(),
    before: z.number().int().nullable().default(null),
    /** Version of the page that the caller has cached. */
    knownVersion: z.string().nullable().default(null),
  }),
  output: z.object({
    /** Changes whenever anything on the page may have changed. */
    version: z.string(),
    /** null if the caller's version is current. */
    page: z
      .object({
        /** The elements of an array of `historyItem`, oldest first, without its brackets. */
        items: z.string(),
        next: z.number().int().nullable(),
        /** Whether attachments may have a `blobKey`. */
        hasImages: z.boolean(),
      })
      .nullable(),
  }),
});

/**
 * Carrel-specific: the newest `limit` turns before `before` with their states, oldest first;
 * `threadSlug` null is the default thread.
 */
export const listTurns = defineOperation({
  name: "chat.turn.page",
  service: "chat",
  calls: ["ingest"],
  access: { who: "session", workspace: true },
  errors: inThread,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/turns",
      summary: "List a thread's turns with their states",
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
    {
      method: "DELETE",
      path: "/workspace/:slug/delete-chats",
      summary: "Delete some of your turns",
    },
  ],
  input: z.object({ slug, chatIds: z.array(rowId).max(10_000) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/**
 * Turns of a thread were rewritten, rated, hidden or deleted, or another version became active.
 * Only the owner is notified; if one is lost, only a tab stays outdated.
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
  operations: [listChats, listThreadChats, readHistory, listTurns, deleteChats],
  events: [turnsChanged],
};
