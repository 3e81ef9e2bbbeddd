import type { ChatRequest, Message, Tool } from "ollama";
import type { LanguageModelCall } from "../spec/language-model.ts";
import {
  contentParts,
  type AssistantPart,
  type ImagePart,
  type ModelMessage,
  type TextPart,
  type UserPart,
} from "../spec/message.ts";
import type { ToolDefinition } from "../spec/tool.ts";

const joinText = (parts: readonly { type: string }[]): string =>
  parts.map((part) => (part.type === "text" ? (part as TextPart).text : "")).join("");

function convertUser(content: string | UserPart[]): Message {
  const parts = contentParts(content);
  const images = parts.filter((part): part is ImagePart => part.type === "image");
  return {
    role: "user",
    content: joinText(parts),
    ...(images.length > 0 && { images: images.map(({ base64 }) => base64) }),
  };
}

function convertAssistant(content: string | AssistantPart[]): Message {
  const parts = contentParts(content);
  const calls = parts.filter((part) => part.type === "tool-call");
  const thinking = parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  return {
    role: "assistant",
    content: joinText(parts),
    ...(thinking !== "" && { thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, input }) => ({ function: { name, arguments: input } })),
    }),
  };
}

/** Converts to messages of /api/chat, where a tool's result is matched by the tool's name. */
function convertMessage(message: ModelMessage): Message[] {
  switch (message.role) {
    case "user":
      return [convertUser(message.content)];
    case "assistant":
      return [convertAssistant(message.content)];
    case "tool":
      return message.content.map(({ name, output }) => ({
        role: "tool",
        tool_name: name,
        content: output,
      }));
  }
}

/** The protocol has no tool choice, so a choice limits which tools are offered. */
function offeredTools({ tools = [], toolChoice = "auto" }: LanguageModelCall): Tool[] {
  const offered =
    toolChoice === "none"
      ? []
      : typeof toolChoice === "string"
        ? tools
        : tools.filter(({ name }) => name === toolChoice.tool);
  return offered.map(({ name, description, inputSchema }: ToolDefinition): Tool => ({
    type: "function",
    function: {
      name,
      description,
      parameters: inputSchema as NonNullable<Tool["function"]["parameters"]>,
    },
  }));
}

/** The body of an /api/chat request; `contextWindow` is null to leave it to the server. */
export function buildChatRequest(
  call: LanguageModelCall,
  {
    model,
    contextWindow,
    keepAliveSeconds,
    acceptsEffort,
  }: {
    model: string;
    contextWindow: number | null;
    keepAliveSeconds: number;
    acceptsEffort: boolean;
  },
): ChatRequest & { stream: true } {
  const tools = offeredTools(call);
  return {
    model,
    stream: true,
    messages: [
      ...(call.system ? [{ role: "system", content: call.system }] : []),
      ...call.messages.flatMap(convertMessage),
    ],
    keep_alive: keepAliveSeconds < 0 ? -1 : `${keepAliveSeconds}s`,
    ...(tools.length > 0 && { tools }),
    ...(call.effort != null && acceptsEffort && { think: call.effort }),
    ...(call.output !== undefined && { format: call.output.schema }),
    options: {
      ...(contextWindow !== null && { num_ctx: contextWindow }),
      ...(call.temperature !== null && { temperature: call.temperature }),
      ...(call.topP != null && { top_p: call.topP }),
      ...(call.maxTokens !== undefined && { num_predict: call.maxTokens }),
    },
  };
}
