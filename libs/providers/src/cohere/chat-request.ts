import { convertUserContent } from "../openai/chat-request.ts";
import type { LanguageModelCall, ToolDefinition } from "../spec/language-model.ts";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type UserPart,
} from "../spec/message.ts";

/** ChatMessageV2 (docs.cohere.com/reference/chat, v2, 2026). */
type CohereMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | CohereContent[] }
  | {
      role: "assistant";
      content?: string;
      tool_plan?: string;
      tool_calls?: {
        id: string;
        type: "function";
        function: { name: string; arguments: string };
      }[];
    }
  | { role: "tool"; tool_call_id: string; content: string };
type CohereContent =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } };

function convertUserPart(part: UserPart): CohereContent {
  switch (part.type) {
    case "text":
      return part;
    case "image":
      return { type: "image_url", image_url: { url: `data:${part.mime};base64,${part.base64}` } };
    case "file":
      // Unreachable: `requireNoFiles` has refused the call.
      return { type: "text", text: part.filename };
  }
}

const joinText = (parts: readonly AssistantPart[], type: "text" | "reasoning"): string =>
  parts.map((part) => (part.type === type ? part.text : "")).join("");

/** Text before calls is their plan; Cohere has no other place for reasoning. */
function convertAssistant(content: string | AssistantPart[]): CohereMessage {
  const parts = contentParts(content);
  const text = joinText(parts, "text");
  const calls = parts.filter((part) => part.type === "tool-call");
  if (calls.length === 0) return { role: "assistant", content: text };
  const plan = joinText(parts, "reasoning");
  return {
    role: "assistant",
    ...(text !== "" && { content: text }),
    ...(plan !== "" && { tool_plan: plan }),
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

/** Converts to messages of the v2 API, where every tool result is one message. */
function convertMessage(message: ModelMessage): CohereMessage[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: convertUserContent(message.content, convertUserPart) }];
    case "assistant":
      return [convertAssistant(message.content)];
    case "tool":
      return message.content.map(({ id, output }) => ({
        role: "tool",
        tool_call_id: id,
        content: output,
      }));
  }
}

/** The only way to force a named tool is to offer no other. */
function toolFields({ tools = [], toolChoice = "auto" }: LanguageModelCall): object {
  if (tools.length === 0) return {};
  const offered =
    typeof toolChoice === "string" ? tools : tools.filter(({ name }) => name === toolChoice.tool);
  const choice = toolChoice === "none" ? "NONE" : toolChoice === "auto" ? undefined : "REQUIRED";
  return {
    tools: offered.map(({ name, description, inputSchema }: ToolDefinition) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
    ...(choice !== undefined && { tool_choice: choice }),
  };
}

/** The body of a streamed chat (docs.cohere.com/reference/chat-stream, v2, 2026). */
export function buildChatRequest(call: LanguageModelCall, model: string): object {
  const { system, temperature, maxTokens, topP, output } = call;
  return {
    model,
    stream: true,
    messages: [
      ...(system ? [{ role: "system", content: system }] : []),
      ...call.messages.flatMap(convertMessage),
    ],
    ...(temperature !== null && { temperature }),
    // The vendor's name and limits.
    ...(topP != null && { p: Math.min(Math.max(topP, 0.01), 0.99) }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...toolFields(call),
    ...(output !== undefined && {
      response_format: { type: "json_object", json_schema: output.schema },
    }),
  };
}
