import type { ReasoningEffort } from "@carrel/contracts";
import type OpenAI from "openai";
import type { VendorFault } from "../http/describe-fault.ts";
import type { LanguageModelCall, ToolChoice } from "../spec/language-model.ts";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type UserPart,
} from "../spec/message.ts";

type Message = OpenAI.Chat.ChatCompletionMessageParam;

function convertUserPart(part: UserPart): OpenAI.Chat.ChatCompletionContentPart {
  switch (part.type) {
    case "text":
      return part;
    case "image":
      return {
        type: "image_url",
        image_url: { url: `data:${part.mime};base64,${part.base64}` },
      };
    case "file":
      return {
        type: "file",
        file: { filename: part.filename, file_data: `data:${part.mime};base64,${part.base64}` },
      };
  }
}

const keepId = (id: string): string => id;

const joinText = (parts: readonly AssistantPart[], type: "text" | "reasoning"): string =>
  parts.map((part) => (part.type === type ? part.text : "")).join("");

/** OpenAI's own protocol has no place for reasoning. */
function convertAssistant(
  content: string | AssistantPart[],
  { returnsReasoning = false, convertCallId = keepId }: ChatDialect,
): Message {
  const parts = contentParts(content);
  const text = joinText(parts, "text");
  const calls = parts.filter((part) => part.type === "tool-call");
  if (calls.length === 0) return { role: "assistant", content: text };
  const message: Message = {
    role: "assistant",
    content: text || null,
    tool_calls: calls.map(({ id, name, input }) => ({
      id: convertCallId(id),
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
  return returnsReasoning
    ? Object.assign(message, { reasoning_content: joinText(parts, "reasoning") })
    : message;
}

/** Converts to the messages of chat completions, where every tool result is one message. */
const convertChatMessages = (messages: readonly ModelMessage[], dialect: ChatDialect): Message[] =>
  messages.flatMap((message): Message[] => {
    switch (message.role) {
      case "user":
        return [{ role: "user", content: convertUserContent(message.content, convertUserPart) }];
      case "assistant":
        return [convertAssistant(message.content, dialect)];
      case "tool":
        return message.content.map(({ id, output }) => ({
          role: "tool",
          tool_call_id: (dialect.convertCallId ?? keepId)(id),
          content: output,
        }));
    }
  });

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming;

function mapToolChoice(
  choice: ToolChoice,
  { requiredChoice }: ChatDialect,
): OpenAI.Chat.ChatCompletionToolChoiceOption {
  if (typeof choice !== "string") return { type: "function", function: { name: choice.tool } };
  // OpenAI's type lacks other vendors' words.
  return choice === "required" && requiredChoice !== undefined
    ? (requiredChoice as string as "required")
    : choice;
}

function toolFields(call: LanguageModelCall, dialect: ChatDialect): Partial<Body> {
  const { tools = [], toolChoice, parallelToolCalls } = call;
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function" as const,
      function: { name, description, parameters: inputSchema },
    })),
    ...(toolChoice !== undefined && { tool_choice: mapToolChoice(toolChoice, dialect) }),
    ...(parallelToolCalls !== undefined &&
      dialect.callsInParallelOnly !== true && { parallel_tool_calls: parallelToolCalls }),
  };
}

function outputFields({ output }: LanguageModelCall, dialect: ChatDialect): Partial<Body> {
  if (output === undefined) return {};
  if (dialect.takesNoSchema === true) return { response_format: { type: "json_object" } };
  const { name, schema } = output;
  return {
    response_format: { type: "json_schema", json_schema: { name, schema, strict: true } },
  };
}

function systemText({ system, output }: LanguageModelCall, dialect: ChatDialect): string {
  if (output === undefined || dialect.takesNoSchema !== true) return system;
  const wish = `Answer with JSON that matches this schema: ${JSON.stringify(output.schema)}`;
  return system ? `${system}\n\n${wish}` : wish;
}

/** The body of a chat completions request. */
export function buildChatRequest(
  call: LanguageModelCall,
  {
    model,
    maxTokens,
    acceptsTemperature,
    acceptsTools,
    acceptsEffort,
    dialect,
  }: {
    model: string;
    maxTokens: number | undefined;
    acceptsTemperature: boolean;
    acceptsTools: boolean;
    acceptsEffort: boolean;
    dialect: ChatDialect;
  },
): Body {
  const system = systemText(call, dialect);
  return {
    model,
    stream: true,
    ...(dialect.countsUnasked !== true && { stream_options: { include_usage: true } }),
    messages: [
      ...(system ? [{ role: "system" as const, content: system }] : []),
      ...convertChatMessages(call.messages, dialect),
    ],
    ...(call.temperature !== null && acceptsTemperature && { temperature: call.temperature }),
    ...(call.topP != null && acceptsTemperature && { top_p: call.topP }),
    ...(call.effort != null &&
      acceptsEffort &&
      (dialect.effortFields?.(call.effort) ?? { reasoning_effort: call.effort })),
    ...(maxTokens !== undefined && { [dialect.maxTokensName ?? "max_tokens"]: maxTokens }),
    ...(acceptsTools && toolFields(call, dialect)),
    ...outputFields(call, dialect),
    ...dialect.extend?.(model),
  };
}

/** How a vendor's chat completions differ from OpenAI's; by default they don't. */
export interface ChatDialect {
  /** Its name for the answer's maximum length, if it isn't `max_tokens`. */
  maxTokensName?: "max_completion_tokens";
  /** Rejects `stream_options` and always counts tokens. */
  countsUnasked?: boolean;
  /** Its word for the tool choice `required`. */
  requiredChoice?: "any";
  /** Rejects `parallel_tool_calls`. */
  callsInParallelOnly?: boolean;
  /**
   * Its models need their reasoning back, as `reasoning_content`, together with the resulting
   * calls.
   */
  returnsReasoning?: boolean;
  /** Converts the id of a tool call to one that it accepts. */
  convertCallId?(id: string): string;
  /** Rejects any temperature but its default for this model. */
  fixesTemperature?(model: string): boolean;
  /** Its fields for the reasoning effort, if it isn't `reasoning_effort`; null: it has none. */
  effortFields?: ((effort: ReasoningEffort) => Record<string, unknown>) | null;
  /** Accepts no schema, only a request for JSON: the schema goes into the system prompt. */
  takesNoSchema?: boolean;
  /** Additional fields in each request for this model. */
  extend?(model: string): Record<string, unknown>;
  /** Reads the fault that an event, or a reply with status 200, reports instead of an answer. */
  readFault?(reply: object): VendorFault | null;
}

/** A single text is sent as a string, which every server accepts. */
export function convertUserContent<Part>(
  content: string | UserPart[],
  convertPart: (part: UserPart) => Part,
): string | Part[] {
  if (typeof content === "string") return content;
  if (content.length === 1 && content[0]!.type === "text") return content[0]!.text;
  return content.map(convertPart);
}
