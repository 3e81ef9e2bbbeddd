import { z } from "zod";
import { retrievalPlaces } from "../ingest/search-trace.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { advanceApprovals } from "./advance-approval.ts";
import { modelChoice } from "./thread-setting.ts";

/**
 * chat: from documents and the model's knowledge. query: only from documents. automatic: the model
 * decides what to look up, and calls tools.
 */
export const chatModes = ["chat", "query", "automatic"] as const;
export type ChatMode = (typeof chatModes)[number];

/** The characters and length that every vendor accepts. */
export const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** A tool that the client runs. `inputSchema` is a JSON Schema. */
export const toolDefinition = z.object({
  name: toolName,
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
});

export type ClientTool = z.infer<typeof toolDefinition>;

export const toolChoice = z.union([
  z.enum(["auto", "none", "required"]),
  z.object({ tool: toolName }),
]);

export type ClientToolChoice = z.infer<typeof toolChoice>;

/** Restricts the answer to JSON. `schema` is a JSON Schema. */
export const outputFormat = z.object({
  name: toolName,
  schema: z.record(z.string(), z.unknown()),
});

export type ClientOutputFormat = z.infer<typeof outputFormat>;

/** `input` is JSON as the model wrote it, which may be malformed. */
export const toolCall = z.object({ id: z.string(), name: z.string(), input: z.string() });

export type ToolCall = z.infer<typeof toolCall>;

/** What followed a question: the model's calls and the results of the client's tools. */
export const toolExchange = z.array(
  z.discriminatedUnion("role", [
    z.object({ role: z.literal("assistant"), text: z.string(), calls: z.array(toolCall) }),
    z.object({ role: z.literal("tool"), id: z.string(), name: z.string(), output: z.string() }),
  ]),
);

export type ToolExchange = z.infer<typeof toolExchange>;

/**
 * Skills and tools that an admin has switched on or off for a session (wire-contract 5.5), by the
 * skill's ID or the tool's name.
 */
export const toolSwitches = z.record(z.string().max(200), z.boolean());

export type ToolSwitches = z.infer<typeof toolSwitches>;

/**
 * Something chosen with `@` for one question, under the name that its asker saw: renaming or
 * deleting a document doesn't change it.
 */
const questionMention = z.object({
  kind: z.enum(["document", "folder", "model"]),
  // PostgreSQL stores no null characters.
  name: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .regex(/^[^\0]*$/),
});
export type QuestionMention = z.infer<typeof questionMention>;

/** As many as a question may name: documents, folders and one model. */
export const questionMentions = z.array(questionMention).max(101);

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
  /** Whether the client shows approvals and forms; default: only in threads of the app. */
  asksPerson: z.boolean().nullish(),
  /** How long approvals and forms wait at most; the instance may wait less. */
  waitSeconds: z.number().int().min(1).max(86_400).nullish(),
  /** Differences to the settings of the agent's skills. */
  toolSwitches: toolSwitches.nullish(),
  /**
   * Set if the answer is written unattended: calls that write or send, and those that
   * would need an approval, are made only if they are among these. The person isn't asked then.
   */
  approvals: advanceApprovals.nullish(),
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
