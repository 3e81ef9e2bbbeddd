import type { Message } from "ollama";
import {
  contentParts,
  type AssistantPart,
  type ImagePart,
  type ModelMessage,
  type TextPart,
  type UserPart,
} from "../spec/message.ts";

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
export function convertMessage(message: ModelMessage): Message[] {
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
