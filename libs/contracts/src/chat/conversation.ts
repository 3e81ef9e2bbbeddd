import { z } from "zod";
import { retrievalPlaces } from "../ingest/search-trace.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { questionMentions } from "./mention.ts";
import { modelChoice } from "./thread-model.ts";
import { outputFormat, toolChoice, toolDefinition, toolExchange } from "./tool-call.ts";

/** Where conversations outside the app take place. */
export const channels = ["api", "openai", "widget"] as const;

/**
 * A conversation outside the app: created with its first question, identified by its client, and
 * never shown among the threads of the app.
 */
export const conversation = z.object({
  channel: z.enum(channels),
  // PostgreSQL stores no null characters.
  sessionId: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\0]+$/),
  widgetId: z.number().int().optional(),
});

export type Conversation = z.infer<typeof conversation>;

/** Replaces the workspace's settings for one answer, except where null or absent. */
export const answerOverrides = z.object({
  systemPrompt: z.string().max(100_000).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  /** Maximum length of the answer; it is cut off there. */
  maxTokens: z.number().int().min(1).max(10_000_000).nullish(),
  /** Another model of the workspace's provider. */
  model: z.string().max(255).nullish(),
  /**
   * Any model that the asker may choose, for this question only; unlike `model`, it can be from any
   * provider.
   */
  modelChoice: modelChoice.nullish(),
  /** Only these documents are searched. */
  places: retrievalPlaces.nullish(),
  /** The names of `places` and `modelChoice`, to be shown with the question. */
  mentions: questionMentions.optional(),
  /** Replaces the stored history, oldest first: clients of OpenAI's protocol send their own. */
  history: z
    .array(z.object({ question: z.string(), answer: z.string() }))
    .max(1_000)
    .nullish(),
  /** How many of the stored turns the answer considers. */
  historyLimit: z.number().int().min(0).max(1_000).nullish(),
  /**
   * ID under which files were registered for this question only; its prompt includes them in full.
   */
  filesOf: z.number().int().nullish(),
  /** What query mode answers if it finds nothing, or if the workspace has no documents. */
  refusal: z.string().nullish(),
  emptyRefusal: z.string().nullish(),
  /** Tools that the client runs; the answer may call them. */
  tools: z.array(toolDefinition).max(128).nullish(),
  toolChoice: toolChoice.nullish(),
  parallelToolCalls: z.boolean().nullish(),
  outputFormat: outputFormat.nullish(),
  /** What followed the question, if the client has run tools for it. */
  exchange: toolExchange.max(500).nullish(),
});

export type AnswerOverrides = z.infer<typeof answerOverrides>;

/**
 * Internal: hides a history from readers and prompts, like the command `/reset`. Does nothing if
 * the conversation doesn't exist.
 */
export const resetHistory = defineOperation({
  name: "chat.turn.reset-history",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    /** null: the caller's default thread. */
    threadSlug: z.string().nullable(),
    /** Replaces `threadSlug`. */
    conversation: conversation.nullish(),
  }),
  output: z.object({}),
});

export const conversationContracts: Contracts = { operations: [resetHistory] };
