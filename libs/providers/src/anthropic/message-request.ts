import type Anthropic from "@anthropic-ai/sdk";
import type { LanguageModelCall } from "../spec/language-model.ts";
import {
  contentParts,
  type AssistantPart,
  type FilePart,
  type ModelMessage,
  type TextPart,
  type ToolResultPart,
  type UserPart,
} from "../spec/message.ts";

export type CacheControl = "none" | "5m" | "1h";

/** Parses the setting AnthropicCacheControl; unknown values disable caching. */
export function mapCacheControl(value: string): CacheControl {
  return value === "5m" || value === "1h" ? value : "none";
}

type Block = Anthropic.ContentBlockParam;

/** Anthropic rejects empty texts; an answer aborted before its first word leaves one behind. */
const hasText = ({ text }: { text: string }): boolean => text.trim() !== "";

function convertFile({ mime, base64, filename }: FilePart): Block {
  return {
    type: "document",
    title: filename,
    source:
      mime === "text/plain"
        ? {
            type: "text",
            media_type: "text/plain",
            data: Buffer.from(base64, "base64").toString("utf8"),
          }
        : // Anthropic names the types it accepts when it rejects another.
          { type: "base64", media_type: mime as "application/pdf", data: base64 },
  };
}

function convertUserPart(part: UserPart): Block[] {
  switch (part.type) {
    case "text":
      return hasText(part) ? [{ type: "text", text: part.text }] : [];
    case "image":
      return [
        {
          type: "image",
          source: {
            type: "base64",
            media_type: part.mime as "image/png",
            data: part.base64,
          },
        },
      ];
    case "file":
      return [convertFile(part)];
  }
}

function convertAssistantPart(part: AssistantPart | TextPart): Block[] {
  switch (part.type) {
    case "text":
      return hasText(part) ? [{ type: "text", text: part.text }] : [];
    case "tool-call":
      return [{ type: "tool_use", id: part.id, name: part.name, input: part.input }];
    case "reasoning": {
      // Anthropic rejects thinking without its signature.
      const { signature, redacted } = part.metadata?.anthropic ?? {};
      if (redacted !== undefined) return [{ type: "redacted_thinking", data: redacted }];
      return signature === undefined ? [] : [{ type: "thinking", thinking: part.text, signature }];
    }
  }
}

const convertToolResult = ({ id, output, isError }: ToolResultPart): Block => ({
  type: "tool_result",
  tool_use_id: id,
  ...(output !== "" && { content: output }),
  ...(isError === true && { is_error: true }),
});

/** Images and documents come first: Anthropic's models read them best before the question. */
function convertUserContent(content: string | UserPart[]): Block[] {
  const parts = contentParts(content);
  return [
    ...parts.filter(({ type }) => type !== "text"),
    ...parts.filter(({ type }) => type === "text"),
  ].flatMap(convertUserPart);
}

/** Converts to messages of the Messages API; a message without content is left out. */
function convertMessage(message: ModelMessage): Anthropic.MessageParam[] {
  if (message.role !== "tool" && typeof message.content === "string")
    return message.content.trim() === "" ? [] : [{ role: message.role, content: message.content }];
  const role = message.role === "assistant" ? "assistant" : "user";
  const content =
    message.role === "user"
      ? convertUserContent(message.content)
      : message.role === "assistant"
        ? contentParts(message.content).flatMap(convertAssistantPart)
        : message.content.map(convertToolResult);
  return content.length === 0 ? [] : [{ role, content }];
}

/** A flag of the choice turns parallel calls off, so the default choice must be named too. */
function mapToolChoice({
  toolChoice = "auto",
  parallelToolCalls,
}: LanguageModelCall): Anthropic.ToolChoice | undefined {
  const serial = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (typeof toolChoice !== "string") return { type: "tool", name: toolChoice.tool, ...serial };
  switch (toolChoice) {
    case "none":
      return { type: "none" };
    case "required":
      return { type: "any", ...serial };
    case "auto":
      return parallelToolCalls === false ? { type: "auto", ...serial } : undefined;
  }
}

/**
 * The body of a Messages API request. It never contains a temperature or top-p: API version
 * 2026-10-21, which this SDK uses, rejects them with 400 (docs/decisions/model-providers.md).
 */
export function buildMessageRequest(
  call: LanguageModelCall,
  {
    model,
    maxTokens,
    cacheControl,
    acceptsEffort,
  }: { model: string; maxTokens: number; cacheControl: CacheControl; acceptsEffort: boolean },
): Anthropic.MessageCreateParamsStreaming {
  const { tools = [], output } = call;
  const cache =
    cacheControl === "none"
      ? {}
      : { cache_control: { type: "ephemeral" as const, ttl: cacheControl } };
  const choice = mapToolChoice(call);
  const hasEffort = call.effort != null && acceptsEffort;
  return {
    model,
    stream: true,
    max_tokens: call.maxTokens ?? maxTokens,
    messages: call.messages.flatMap(convertMessage),
    ...(call.system && { system: [{ type: "text" as const, text: call.system, ...cache }] }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: { type: "object" as const, ...inputSchema },
      })),
      ...(choice !== undefined && { tool_choice: choice }),
    }),
    ...((output !== undefined || hasEffort) && {
      output_config: {
        ...(output !== undefined && {
          format: { type: "json_schema" as const, schema: output.schema },
        }),
        ...(hasEffort && { effort: call.effort }),
      },
    }),
  };
}
