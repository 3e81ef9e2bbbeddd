import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { byKey, inThread, inWorkspace } from "../error-reply.ts";
import { retrievalPlaces } from "../ingest/search-trace.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import {
  answerOverrides,
  channels,
  chatModes,
  conversation,
  questionMentions,
} from "./conversation.ts";
import { approvalDecisions, formAnswer } from "./run-step.ts";
import { modelChoice } from "./thread-setting.ts";
import { attachmentWire, storedAttachment } from "./turn.ts";

/** A question made from a heading or a term of a document that answers it. */
export const suggestedQuestion = z.object({ question: z.string(), title: z.string() });

/**
 * With a language model, `hasModel` is true and there are no suggestions: it can answer any
 * question.
 */
export const suggestQuestions = defineOperation({
  name: "chat.suggestion.list",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  calls: ["ingest", "workspace"],
  timeoutMs: 20_000,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/suggested-questions",
      summary: "List questions that the documents answer without a language model",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ hasModel: z.boolean(), questions: z.array(suggestedQuestion) }),
});

/**
 * False only if every message goes to agents automatically: in automatic mode, with a model that
 * calls tools natively (wire-contract 3.3).
 */
export const isAgentCommandAvailable = defineOperation({
  name: "chat.agent.available",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/is-agent-command-available",
      summary: "Check whether the @agent command is available",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ showAgentCommand: z.boolean() }),
});

export const chatMessage = z.object({
  slug,
  threadSlug: slug.optional(),
  // Existing clients expect a specific 400 body for empty, absent and non-string messages, so the
  // controller handles them.
  message: z.unknown().optional(),
  attachments: z.array(attachmentWire).max(20).optional(),
  mode: z.enum(chatModes).optional(),
  /**
   * Carrel-specific: the turn this question replaces (an edit, or the same text for another
   * answer); the previous version is kept as a branch.
   */
  replaces: rowId.nullish(),
  /**
   * Carrel-specific: with `replaces`, the new version keeps that answer's steps before this one and
   * goes on from there. It asks the same question, whatever `message` is.
   */
  fromStep: rowId.nullish(),
  /** Carrel-specific: search only these documents and folders. */
  places: retrievalPlaces.nullish(),
  /** Carrel-specific: the model to use for this question only. */
  modelChoice: modelChoice.nullish(),
  /** Carrel-specific: the names of `places` and `modelChoice`, to be shown with the question. */
  mentions: questionMentions.optional(),
});

export const streamChat = defineOperation({
  name: "gateway.generation.stream",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/stream-chat",
      bodyLimit: 50_000_000,
      summary: "Ask a question in the default thread; the answer is an event stream",
    },
  ],
  input: chatMessage,
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

export const streamThreadChat = defineOperation({
  name: "gateway.generation.stream-in-thread",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: inThread,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/thread/:threadSlug/stream-chat",
      bodyLimit: 50_000_000,
      summary: "Ask a question in a thread; the answer is an event stream",
    },
  ],
  input: chatMessage,
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

/**
 * Internal: writes the pending turn, queues the run and responds immediately. Parts follow on the
 * stream `gen:<generationId>`.
 */
export const startGeneration = defineOperation({
  name: "chat.generation.start",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "keyed",
  calls: ["ingest", "workspace"],
  input: z.object({
    threadSlug: z.string().nullable(),
    /** Replaces `threadSlug`. Commands are ignored, except slash commands from the API. */
    conversation: conversation.nullish(),
    message: z.string(),
    attachments: z.array(storedAttachment).default([]),
    mode: z.enum(chatModes).optional(),
    /**
     * The turn this question replaces. NOT_FOUND unless the caller owns it and it is in this
     * thread.
     */
    replaces: rowId.nullish(),
    /**
     * Keeps the steps of the replaced answer before this one, and asks the same question. NOT_FOUND
     * unless that answer has ended and has the step.
     */
    fromStep: rowId.nullish(),
    overrides: answerOverrides.nullish(),
    /** As reported by the client, for dates in prompts. */
    timeZone: z.string().max(64).nullish(),
    locale: z.string().max(35).nullish(),
  }),
  output: z.object({
    /**
     * null for commands (`/reset`) and when the daily limit is reached; `frames` then holds the
     * complete answer.
     */
    generationId: z.string().nullable(),
    chatId: z.number().int().nullable(),
    queued: z.boolean(),
    frames: z.array(z.unknown()),
  }),
});

/**
 * Internal: state of a generation for a client that attaches; once its stream has expired, `frames`
 * is rebuilt from PostgreSQL.
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
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/generation/:id/stream",
      summary: "Attach to a running or finished generation; resumes after Last-Event-ID",
    },
  ],
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
  routes: [
    {
      method: "DELETE",
      path: "/generation/:id",
      summary: "Stop a generation; the text so far is kept",
    },
  ],
  input: z.object({ id: z.uuid() }),
  output: z.object({ success: z.boolean() }),
});

/** Steps of answers that were requested with the same key; those of others look like missing ones. */
const ofOwnAnswer = byKey("chat", { restrictedKeys: true });

/** Carrel-specific: decides about a call that waits for approval. */
export const decideStep = defineOperation({
  name: "chat.step.decide",
  service: "chat",
  access: { who: "session" },
  idempotency: "natural",
  calls: ["workspace"],
  routes: [
    {
      method: "POST",
      path: "/generation/:id/step/:step/decision",
      summary: "Approve or deny a tool call that is waiting",
    },
    {
      ...ofOwnAnswer,
      name: "gateway.developer-step.decide",
      method: "POST",
      path: "/v1/generation/:id/step/:step/decision",
      summary: "Approve or deny a tool call that is waiting, in an answer of the same key",
      // Only people allow a skill once and for all.
      input: z.object({ id: z.uuid(), step: rowId, decision: z.enum(["once", "run", "denied"]) }),
    },
  ],
  input: z.object({ id: z.uuid(), step: rowId, decision: z.enum(approvalDecisions) }),
  /** false: it wasn't waiting any more. */
  output: z.object({ success: z.boolean() }),
});

/** Carrel-specific: answers the questions of a step that waits for them. */
export const answerStep = defineOperation({
  name: "chat.step.answer",
  service: "chat",
  access: { who: "session" },
  idempotency: "natural",
  calls: ["workspace"],
  routes: [
    {
      method: "POST",
      path: "/generation/:id/step/:step/answers",
      summary: "Answer the questions of an agent",
    },
    {
      ...ofOwnAnswer,
      name: "gateway.developer-step.answer",
      method: "POST",
      path: "/v1/generation/:id/step/:step/answers",
      summary: "Answer the questions of an agent, in an answer of the same key",
    },
  ],
  /** In the order of the questions; null: skipped. */
  input: z.object({ id: z.uuid(), step: rowId, answers: z.array(formAnswer.nullable()).max(20) }),
  /** false: it wasn't waiting any more. */
  output: z.object({ success: z.boolean() }),
});

/** Carrel-specific: the whole input and result of a step, of which frames and turns have the start. */
export const readStep = defineOperation({
  name: "chat.step.read",
  service: "chat",
  access: { who: "session" },
  calls: ["workspace"],
  routes: [
    {
      method: "GET",
      path: "/generation/:id/step/:step",
      summary: "Read the input and the result of a tool call",
    },
    {
      ...ofOwnAnswer,
      name: "gateway.developer-step.read",
      method: "GET",
      path: "/v1/generation/:id/step/:step",
      summary: "Read the input and the result of a tool call, in an answer of the same key",
    },
  ],
  input: z.object({ id: z.uuid(), step: rowId }),
  /** At most 200,000 characters each. */
  output: z.object({ input: z.string(), result: z.string().nullable() }),
});

export const getThreadGeneration = defineOperation({
  name: "chat.generation.current",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/thread/:threadSlug/generation",
      summary: "Get the running generation of a thread; `default` is the default thread",
    },
  ],
  input: z.object({ slug, threadSlug: slug }),
  output: z.object({
    generation: z
      .object({ id: z.string(), chatId: z.number().int(), state: z.enum(["queued", "running"]) })
      .nullable(),
  }),
});

/**
 * A generation was queued, started or ended, or waits for the person: sidebars show it live. Once
 * it no longer waits, it is running again.
 */
export const generationChanged = defineEvent({
  name: "generation.changed",
  service: "chat",
  consumers: [],
  payload: z.object({
    workspaceId: z.number().int(),
    threadId: z.number().int(),
    generationId: z.string(),
    state: z.string(),
    /** Owner of the thread, the only one notified; null in single-user mode. */
    userId: z.number().int().nullable(),
    /** Set if the thread is a conversation outside the app; its readers aren't notified. */
    channel: z.enum(channels).optional(),
  }),
});

/** An answer ended. Only recorded while a webhook wants it (`webhooksChanged`). */
export const answerFinished = defineEvent({
  name: "answer.finished",
  service: "chat",
  consumers: ["workspace"],
  payload: z.object({
    /** The generation's ID. */
    id: z.uuid(),
    workspaceId: z.number().int(),
    chatId: z.number().int(),
    /** null: the default thread. */
    threadSlug: z.string().nullable(),
    userId: z.number().int().nullable(),
    state: z.enum(["done", "failed", "cancelled"]),
    /** ISO 8601. */
    at: z.string(),
  }),
});

export const generationContracts: Contracts = {
  operations: [
    streamChat,
    streamThreadChat,
    startGeneration,
    attachGeneration,
    attachGenerationStream,
    cancelGeneration,
    decideStep,
    answerStep,
    readStep,
    getThreadGeneration,
    isAgentCommandAvailable,
    suggestQuestions,
  ],
  events: [answerFinished, generationChanged],
};
