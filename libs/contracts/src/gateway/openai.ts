import { z } from "zod";
import { toolName } from "../chat/conversation.ts";
import { slug } from "../coercion.ts";
import { byKey } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import {
  answerTokenLimit,
  chatCompletion,
  chatCompletionMessage,
  functionTool,
  mostTools,
  openAiFailures,
  openAiQuestion,
  plainFormat,
  schemaFormat,
  toolChoiceWord,
  unknownModel,
} from "./openai-chat.ts";

/*
 * OpenAI's API (wire-contract 9.6), in which a workspace is a model. Handlers look the workspace up
 * themselves, because its slug isn't in the path.
 */

const model = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number().int(),
  owned_by: z.string(),
});

export const listOpenAiModels = defineOperation({
  name: "gateway.openai.models",
  service: "gateway",
  ...byKey("read", { restrictedKeys: true }),
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/openai/models",
      summary: "List workspaces as models of OpenAI's API",
    },
  ],
  input: z.object({}),
  output: z.object({ object: z.literal("list"), data: z.array(model) }),
});

export const getOpenAiModel = defineOperation({
  name: "gateway.openai.model",
  service: "gateway",
  access: { who: "key", scope: "read", workspace: true },
  errors: {
    ...openAiFailures,
    WORKSPACE_NOT_FOUND: {
      status: 404,
      kind: "json",
      body: {
        error: {
          message: "$message",
          type: "invalid_request_error",
          param: "model",
          code: "model_not_found",
        },
      },
    },
  },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/openai/models/:slug",
      summary: "Get a workspace as a model of OpenAI's API",
    },
  ],
  input: z.object({ slug }),
  output: model,
});

export const createChatCompletion = defineOperation({
  name: "gateway.openai.chat-completion",
  service: "gateway",
  access: { who: "key", scope: "chat", restrictedKeys: true },
  errors: { ...openAiFailures, ...unknownModel },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/openai/chat/completions",
      bodyLimit: 50_000_000,
      summary:
        "Ask a workspace with OpenAI's Chat Completions API; the answer is an event stream if `stream` is true",
    },
  ],
  input: openAiQuestion.extend({
    messages: z.array(chatCompletionMessage).min(1).max(5_000),
    tools: z
      .array(z.object({ type: z.literal("function"), function: functionTool }))
      .max(mostTools)
      .nullish(),
    tool_choice: z
      .union([
        toolChoiceWord,
        z.object({ type: z.literal("function"), function: z.object({ name: toolName }) }),
      ])
      .nullish(),
    response_format: z
      .discriminatedUnion("type", [
        plainFormat,
        z.object({ type: z.literal("json_schema"), json_schema: schemaFormat }),
      ])
      .nullish(),
    max_completion_tokens: answerTokenLimit,
    /** The older name of `max_completion_tokens`. */
    max_tokens: answerTokenLimit,
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    /** Carrel gives only one answer. */
    n: z.literal(1).nullish(),
  }),
  output: chatCompletion,
});

export const listVectorStores = defineOperation({
  name: "gateway.openai.vector-stores",
  service: "gateway",
  ...byKey("read", { restrictedKeys: true }),
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/openai/vector_stores",
      summary: "List workspaces as vector stores of OpenAI's API",
    },
  ],
  input: z.object({}),
  output: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        object: z.literal("vector_store"),
        name: z.string(),
        file_counts: z.object({ total: z.number().int() }),
        provider: z.string(),
      }),
    ),
    first_id: z.string().optional(),
    last_id: z.string().optional(),
    has_more: z.literal(false),
  }),
});

const someText = z.string().min(1);
/** Clients may send tokens (`cl100k_base`) instead of text. */
const tokens = z.array(z.number().int().min(0)).min(1).max(100_000);
const embeddable = z.union([
  someText,
  z.array(someText).min(1).max(2_048),
  tokens,
  z.array(tokens).min(1).max(2_048),
]);

export const createEmbeddings = defineOperation({
  name: "gateway.openai.embeddings",
  service: "gateway",
  access: { who: "key", scope: "read", restrictedKeys: true },
  errors: openAiFailures,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/openai/embeddings",
      bodyLimit: 10_000_000,
      bodyValues: 500_000,
      summary: "Embed texts with the instance's embedder",
    },
  ],
  input: z
    .object({
      input: embeddable.optional(),
      inputs: embeddable.optional(),
      encoding_format: z.enum(["float", "base64"]).nullish(),
      /** Refused unless it equals the length of the embedder's vectors. */
      dimensions: z.number().int().min(1).max(100_000).nullish(),
    })
    .refine(({ input, inputs }) => input !== undefined || inputs !== undefined, {
      path: ["input"],
      message: "The input is missing.",
    }),
  output: z.object({
    object: z.literal("list"),
    data: z.array(
      z.object({
        object: z.literal("embedding"),
        /** base64 of 32-bit floats, little-endian. */
        embedding: z.union([z.array(z.number()), z.string()]),
        index: z.number().int(),
      }),
    ),
    model: z.string(),
    usage: z.object({ prompt_tokens: z.number().int(), total_tokens: z.number().int() }),
  }),
});

export const openAiContracts: Contracts = {
  operations: [
    listOpenAiModels,
    getOpenAiModel,
    createChatCompletion,
    listVectorStores,
    createEmbeddings,
  ],
};
