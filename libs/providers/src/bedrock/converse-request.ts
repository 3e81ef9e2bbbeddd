import type { LanguageModelCall, ToolChoice } from "../spec/language-model.ts";
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
type BedrockBlock = Record<string, unknown>;
interface BedrockMessage {
  role: "user" | "assistant";
  content: BedrockBlock[];
}

/** Bedrock rejects blank texts. */
const convertText = ({ text }: { text: string }): BedrockBlock[] =>
  text.trim() === "" ? [] : [{ text }];

/** Document formats by type; Bedrock names those it accepts when it rejects another. */
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
      // Bedrock rejects reasoning without its signature.
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

/** Converts to messages of Converse; a message without content is left out. */
function convertMessage(message: ModelMessage): BedrockMessage[] {
  const content =
    message.role === "user"
      ? contentParts(message.content).flatMap(convertUserPart)
      : message.role === "assistant"
        ? contentParts(message.content).flatMap(convertAssistantPart)
        : message.content.map(convertToolResult);
  const role = message.role === "assistant" ? "assistant" : "user";
  return content.length === 0 ? [] : [{ role, content }];
}

function mapToolChoice(choice: ToolChoice): object {
  if (typeof choice !== "string") return { tool: { name: choice.tool } };
  return choice === "required" ? { any: {} } : { auto: {} };
}

/**
 * Converse has no choice `none`, so no tools are offered in that case, unless calls were made
 * before.
 */
function toolFields({ tools = [], toolChoice, messages }: LanguageModelCall): object {
  const hasCalls = messages.some(({ role }) => role === "tool");
  if (tools.length === 0 || (toolChoice === "none" && !hasCalls)) return {};
  return {
    toolConfig: {
      tools: tools.map(({ name, description, inputSchema }) => ({
        toolSpec: { name, description, inputSchema: { json: inputSchema } },
      })),
      ...(toolChoice !== undefined &&
        toolChoice !== "none" && { toolChoice: mapToolChoice(toolChoice) }),
    },
  };
}

/** Converse takes no schema for the answer, so the model is asked to follow it. */
function systemText({ system, output }: LanguageModelCall): string {
  if (output === undefined) return system;
  const wish = `Answer with JSON that matches this schema, and nothing else: ${JSON.stringify(output.schema)}`;
  return system ? `${system}\n\n${wish}` : wish;
}

/** The body of a ConverseStream request (AWS API reference, Bedrock Runtime, 2026). */
export function buildConverseRequest(
  call: LanguageModelCall,
  { maxTokens, acceptsTemperature }: { maxTokens: number | undefined; acceptsTemperature: boolean },
): object {
  const system = systemText(call);
  return {
    ...(system && { system: [{ text: system }] }),
    messages: call.messages.flatMap(convertMessage),
    inferenceConfig: {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(call.temperature !== null && acceptsTemperature && { temperature: call.temperature }),
      ...(call.topP != null && acceptsTemperature && { topP: call.topP }),
    },
    ...toolFields(call),
  };
}
