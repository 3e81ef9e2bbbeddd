import { z } from "zod";
import { toolName } from "../chat/conversation.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import {
  answerTokenLimit,
  functionTool,
  mostTools,
  openAiFailures,
  openAiQuestion,
  plainFormat,
  responseAnnotation,
  schemaFormat,
  toolChoiceWord,
  unknownModel,
} from "./openai-chat.ts";

/** OpenAI's Responses API (wire-contract 9.6). */
const inputPart = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["input_text", "output_text", "text"]), text: z.string() }),
  z.object({ type: z.literal("refusal"), refusal: z.string() }),
  z.object({ type: z.literal("input_image"), image_url: z.string() }),
]);

const inputMessage = z.object({
  type: z.literal("message").optional(),
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: z.union([z.string(), z.array(inputPart)]),
});

const inputItem = z.union([
  inputMessage,
  z.object({
    type: z.literal("function_call"),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal("function_call_output"),
    call_id: z.string(),
    output: z.union([z.string(), z.array(inputPart)]),
  }),
  z.object({ type: z.literal("reasoning") }),
]);

export type ResponseInputItem = z.infer<typeof inputItem>;

const messageItem = z.object({
  id: z.string(),
  type: z.literal("message"),
  status: z.enum(["in_progress", "completed", "incomplete"]),
  role: z.literal("assistant"),
  content: z.array(
    z.object({
      type: z.literal("output_text"),
      text: z.string(),
      annotations: z.array(responseAnnotation),
      logprobs: z.array(z.never()),
    }),
  ),
});

const callItem = z.object({
  id: z.string(),
  type: z.literal("function_call"),
  status: z.enum(["in_progress", "completed"]),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});

const reasoningItem = z.object({
  id: z.string(),
  type: z.literal("reasoning"),
  status: z.enum(["in_progress", "completed"]),
  summary: z.array(z.object({ type: z.literal("summary_text"), text: z.string() })),
});

const details = (name: string) => z.object({ [name]: z.literal(0) });

export const responseWire = z.object({
  id: z.string(),
  object: z.literal("response"),
  /** In seconds since 1970. */
  created_at: z.number().int(),
  status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
  error: z.object({ code: z.literal("server_error"), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.literal("max_output_tokens") }).nullable(),
  instructions: z.string().nullable(),
  metadata: z.object({}),
  model: z.string(),
  output: z.array(z.discriminatedUnion("type", [reasoningItem, messageItem, callItem])),
  parallel_tool_calls: z.literal(true),
  previous_response_id: z.null(),
  temperature: z.number().nullable(),
  tool_choice: z.unknown(),
  tools: z.array(z.unknown()),
  top_p: z.null(),
  usage: z
    .object({
      input_tokens: z.number().int(),
      input_tokens_details: details("cached_tokens"),
      output_tokens: z.number().int(),
      output_tokens_details: details("reasoning_tokens"),
      total_tokens: z.number().int(),
    })
    .nullable(),
});

export type ResponseWire = z.infer<typeof responseWire>;
export type ResponseCall = z.infer<typeof callItem>;
export type ResponseReasoning = z.infer<typeof reasoningItem>;
export type ResponseMessage = z.infer<typeof messageItem>;

export const createResponse = defineOperation({
  name: "gateway.openai.response",
  service: "gateway",
  access: { who: "key", scope: "chat", restrictedKeys: true },
  errors: { ...openAiFailures, ...unknownModel },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/openai/responses",
      bodyLimit: 50_000_000,
      summary:
        "Ask a workspace with OpenAI's Responses API; the answer is an event stream if `stream` is true",
    },
  ],
  input: openAiQuestion.extend({
    input: z.union([z.string(), z.array(inputItem).min(1).max(5_000)]),
    instructions: z.string().nullish(),
    tools: z
      .array(functionTool.extend({ type: z.literal("function") }))
      .max(mostTools)
      .nullish(),
    tool_choice: z
      .union([toolChoiceWord, z.object({ type: z.literal("function"), name: toolName })])
      .nullish(),
    text: z
      .object({
        format: z
          .discriminatedUnion("type", [
            plainFormat,
            schemaFormat.extend({ type: z.literal("json_schema") }),
          ])
          .nullish(),
      })
      .nullish(),
    max_output_tokens: answerTokenLimit,
    previous_response_id: z.string().nullish(),
    conversation: z.unknown().optional(),
    background: z.boolean().nullish(),
  }),
  output: responseWire,
});

export const openAiResponsesContracts: Contracts = { operations: [createResponse] };
