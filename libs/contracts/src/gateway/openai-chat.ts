import { z } from "zod";
import { toolName } from "../chat/conversation.ts";
import { metricsWire } from "../chat/turn.ts";
import { refusedKey, type ErrorReply } from "../error-reply.ts";
import type { ErrorReplies } from "../operation.ts";
import { sourceWire } from "../source.ts";

/** What clients of OpenAI's protocol send and receive (wire-contract 9.6). */
const failure = (status: number, type: string): ErrorReply => ({
  status,
  kind: "json",
  body: { error: { message: "$message", type, param: "$param", code: null } },
});

export const openAiFailures = {
  ...refusedKey,
  BAD_INPUT: failure(400, "invalid_request_error"),
  TOO_LARGE: failure(413, "invalid_request_error"),
  TOO_MANY_ATTEMPTS: failure(429, "rate_limit_error"),
  REFUSED: failure(429, "insufficient_quota"),
  PROVIDER_FAILED: failure(502, "server_error"),
  BUSY: failure(503, "server_error"),
  SERVICE_LOST: failure(503, "server_error"),
  UNAVAILABLE: failure(503, "server_error"),
  TIMEOUT: failure(504, "server_error"),
  INTERNAL: failure(500, "server_error"),
} satisfies ErrorReplies;

/** For unknown models, the reply that existing clients expect. */
export const unknownModel = {
  WORKSPACE_NOT_FOUND: { status: 401, kind: "empty" },
} satisfies ErrorReplies;

const requestedCall = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const contentPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("refusal"), refusal: z.string() }),
  z.object({
    type: z.literal("image_url"),
    image_url: z.union([z.object({ url: z.string() }), z.string().transform((url) => ({ url }))]),
  }),
]);

export const chatCompletionMessage = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
  tool_calls: z.array(requestedCall).nullish(),
  tool_call_id: z.string().nullish(),
});

export type ChatCompletionMessage = z.infer<typeof chatCompletionMessage>;

/** What both ways of asking have in common. Fields without a meaning here are ignored. */
export const openAiQuestion = z.object({
  /** The workspace's slug. */
  model: z.string().max(255),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
});

/** Maximum number of tokens in an answer. */
export const answerTokenLimit = z.number().int().min(1).max(10_000_000).nullish();

/** `json_object` restricts nothing: OpenAI requires its instructions to ask for JSON, too. */
export const plainFormat = z.object({ type: z.enum(["text", "json_object"]) });
export const schemaFormat = z.object({
  name: toolName,
  schema: z.record(z.string(), z.unknown()),
});

/** How tools are described, in both ways of asking. */
export const functionTool = z.object({
  name: toolName,
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

export const mostTools = 128;
export const toolChoiceWord = z.enum(["auto", "none", "required"]);

/** Where the text cites a source; the end of the text for a source that isn't cited. */
const position = { start_index: z.number().int(), end_index: z.number().int() };
/** `carrel_source` is Carrel-specific: the passage, as in the app. */
export const chatAnnotation = z.object({
  type: z.literal("url_citation"),
  url_citation: z.object({ ...position, title: z.string(), url: z.string() }),
  carrel_source: sourceWire,
});

export const responseAnnotation = z.object({
  type: z.literal("url_citation"),
  ...position,
  title: z.string(),
  url: z.string(),
  carrel_source: sourceWire,
});

export type ResponseAnnotation = z.infer<typeof responseAnnotation>;

/**
 * `length`: the answer ended at a length limit. `abort`: it broke off. `no_content`: nothing was
 * found in query mode, or the model wrote nothing.
 */
export const finishReason = z.enum(["stop", "length", "tool_calls", "abort", "no_content"]);
export type FinishReason = z.infer<typeof finishReason>;

export const chatCompletion = z.object({
  id: z.string(),
  object: z.literal("chat.completion"),
  /** In seconds since 1970. */
  created: z.number().int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.literal(0),
      message: z.object({
        role: z.literal("assistant"),
        content: z.string(),
        /** What the model thought before it answered; absent if nothing. */
        reasoning_content: z.string().optional(),
        annotations: z.array(chatAnnotation),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              type: z.literal("function"),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      logprobs: z.null(),
      finish_reason: finishReason,
    }),
  ),
  usage: z.union([metricsWire, z.object({})]),
});

export type ChatCompletion = z.infer<typeof chatCompletion>;
