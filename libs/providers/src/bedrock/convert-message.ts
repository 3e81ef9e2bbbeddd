import {
  contentParts,
  type AssistantPart,
  type FilePart,
  type ModelMessage,
  type TextPart,
  type ToolResultPart,
  type UserPart,
} from "../spec/message.ts";

/** ContentBlock (AWS API reference, Bedrock Runtime, 2026). */
export type BedrockBlock = Record<string, unknown>;
export interface BedrockMessage {
  role: "user" | "assistant";
  content: BedrockBlock[];
}

/** Bedrock rejects blank texts. */
const convertText = ({ text }: { text: string }): BedrockBlock[] =>
  text.trim() === "" ? [] : [{ text }];

/** Formats of documents by type; Bedrock names those it accepts when it rejects another. */
const formats: Partial<Record<string, string>> = {
  "text/plain": "txt",
  "text/markdown": "md",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.ms-excel": "xls",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
};
const formatOf = (mime: string): string => formats[mime] ?? mime.slice(mime.indexOf("/") + 1);

/** Names may only have letters, digits, single spaces, hyphens, parentheses and brackets. */
const nameOf = (filename: string): string =>
  filename
    .replaceAll(/[^A-Za-z0-9 ()[\]-]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim() || "document";

const convertFile = ({ mime, base64, filename }: FilePart): BedrockBlock => ({
  document: { format: formatOf(mime), name: nameOf(filename), source: { bytes: base64 } },
});

function convertUserPart(part: UserPart): BedrockBlock[] {
  switch (part.type) {
    case "text":
      return convertText(part);
    case "image":
      return [{ image: { format: formatOf(part.mime), source: { bytes: part.base64 } } }];
    case "file":
      return [convertFile(part)];
  }
}

function convertAssistantPart(part: AssistantPart | TextPart): BedrockBlock[] {
  switch (part.type) {
    case "text":
      return convertText(part);
    case "tool-call":
      return [{ toolUse: { toolUseId: part.id, name: part.name, input: part.input } }];
    case "reasoning": {
      // Reasoning without its signature is rejected.
      const { signature, redacted } = part.metadata?.bedrock ?? {};
      if (redacted !== undefined) return [{ reasoningContent: { redactedContent: redacted } }];
      return signature === undefined
        ? []
        : [{ reasoningContent: { reasoningText: { text: part.text, signature } } }];
    }
  }
}

const convertToolResult = ({ id, output, isError }: ToolResultPart): BedrockBlock => ({
  toolResult: {
    toolUseId: id,
    content: [{ text: output || " " }],
    ...(isError === true && { status: "error" }),
  },
});

/** Converts to messages of Converse; one without content is left out. */
export function convertMessage(message: ModelMessage): BedrockMessage[] {
  const content =
    message.role === "user"
      ? contentParts(message.content).flatMap(convertUserPart)
      : message.role === "assistant"
        ? contentParts(message.content).flatMap(convertAssistantPart)
        : message.content.map(convertToolResult);
  const role = message.role === "assistant" ? "assistant" : "user";
  return content.length === 0 ? [] : [{ role, content }];
}
