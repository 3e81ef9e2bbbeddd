import type OpenAI from "openai";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type TextPart,
  type UserPart,
} from "../spec/message.ts";
import { convertUserContent } from "./convert-user-content.ts";

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

/** The protocol has no place for reasoning. */
function convertAssistant(content: string | AssistantPart[]): Message {
  const parts = contentParts(content);
  const text = parts
    .filter((part): part is TextPart => part.type === "text")
    .map((part) => part.text)
    .join("");
  const calls = parts.filter((part) => part.type === "tool-call");
  if (calls.length === 0) return { role: "assistant", content: text };
  return {
    role: "assistant",
    content: text || null,
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

/** Converts to the messages of chat completions, where every tool result is one message. */
export function convertChatMessage(message: ModelMessage): Message[] {
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
