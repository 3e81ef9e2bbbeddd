import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type TextPart,
  type ToolResultPart,
  type UserPart,
} from "../spec/message.ts";

/** Part and Content of the Gemini API (ai.google.dev/api, v1beta, 2026). */
export interface GeminiPart {
  text?: string;
  /** Whether the text is reasoning. */
  thought?: boolean;
  thoughtSignature?: string;
  inlineData?: { mimeType: string; data: string };
  functionCall?: { id?: string; name: string; args?: Record<string, unknown> };
  functionResponse?: { id?: string; name: string; response: Record<string, unknown> };
}
export interface GeminiContent {
  role: "user" | "model";
  parts: GeminiPart[];
}

/**
 * Gemini 3 and later reject calls without a signature, and other models' calls have none; Google
 * documents this stand-in for it (ai.google.dev/gemini-api/docs/thought-signatures).
 */
const noSignature = "skip_thought_signature_validator";

function convertUserPart(part: UserPart): GeminiPart[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ text: part.text }];
    case "image":
      return [{ inlineData: { mimeType: part.mime, data: part.base64 } }];
    case "file":
      return [{ text: part.filename }, { inlineData: { mimeType: part.mime, data: part.base64 } }];
  }
}

/** Gemini's reasoning isn't sent back, only the signatures of its calls. */
function convertAssistantPart(part: AssistantPart | TextPart): GeminiPart[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ text: part.text }];
    case "reasoning":
      return [];
    case "tool-call": {
      const { id, name, input } = part;
      const signature = part.metadata?.gemini?.thoughtSignature;
      return [
        {
          functionCall: { id, name, args: input },
          ...(signature !== undefined && { thoughtSignature: signature }),
        },
      ];
    }
  }
}

const convertToolResult = ({ id, name, output, isError }: ToolResultPart): GeminiPart => ({
  functionResponse: {
    id,
    name,
    response: isError === true ? { error: output } : { output },
  },
});

/** Only the first of parallel calls is signed. */
function requireSignature(parts: GeminiPart[]): GeminiPart[] {
  const first = parts.find(({ functionCall }) => functionCall !== undefined);
  if (first !== undefined) first.thoughtSignature ??= noSignature;
  return parts;
}

/** Converts to contents; a message without parts is left out. */
export function convertContents(
  messages: readonly ModelMessage[],
  { needsSignatures }: { needsSignatures: boolean },
): GeminiContent[] {
  return messages
    .map((message): GeminiContent => {
      switch (message.role) {
        case "user":
          return { role: "user", parts: contentParts(message.content).flatMap(convertUserPart) };
        case "assistant": {
          const parts = contentParts(message.content).flatMap(convertAssistantPart);
          return { role: "model", parts: needsSignatures ? requireSignature(parts) : parts };
        }
        case "tool":
          return { role: "user", parts: message.content.map(convertToolResult) };
      }
    })
    .filter(({ parts }) => parts.length > 0);
}
