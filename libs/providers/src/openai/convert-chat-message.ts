import type OpenAI from "openai";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type UserPart,
} from "../spec/message.ts";
import type { ChatDialect } from "./chat-dialect.ts";
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
export const convertChatMessages = (
  messages: readonly ModelMessage[],
  dialect: ChatDialect,
): Message[] =>
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
