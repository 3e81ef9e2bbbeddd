import { describeFault, type CalledVendor } from "../http/describe-fault.ts";
import { requireNoFault } from "../http/read-fault.ts";
import type { PartQueue, PartReader } from "../http/run-stream.ts";
import { ToolCalls } from "../http/tool-calls.ts";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type TextPart,
  type ToolResultPart,
  type UserPart,
} from "../spec/message.ts";
import type { FinishReason, Usage } from "../spec/stream-part.ts";

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

/** GenerateContentResponse (ai.google.dev/api/generate-content, v1beta, 2026). */
interface GeminiReply {
  candidates?: { content?: { parts?: GeminiPart[] }; finishReason?: string }[];
  promptFeedback?: { blockReason?: string; blockReasonMessage?: string };
  usageMetadata?: {
    promptTokenCount?: number;
    toolUsePromptTokenCount?: number;
    candidatesTokenCount?: number;
    thoughtsTokenCount?: number;
    cachedContentTokenCount?: number;
  };
}

function mapFinishReason(reason: string): FinishReason {
  switch (reason) {
    case "STOP":
      return "stop";
    case "MAX_TOKENS":
      return "length";
    case "SAFETY":
    case "RECITATION":
    case "LANGUAGE":
    case "BLOCKLIST":
    case "PROHIBITED_CONTENT":
    case "SPII":
    case "IMAGE_SAFETY":
    case "IMAGE_PROHIBITED_CONTENT":
    case "IMAGE_RECITATION":
    case "MODEL_ARMOR":
      return "content-filter";
    case "MALFORMED_FUNCTION_CALL":
    case "MALFORMED_RESPONSE":
    case "UNEXPECTED_TOOL_CALL":
    case "TOO_MANY_TOOL_CALLS":
    case "MISSING_THOUGHT_SIGNATURE":
    case "OTHER":
      return "incomplete";
    default:
      return "other";
  }
}

/** Gemini doesn't include thoughts in the count for the answer. */
const readUsage = (usage: NonNullable<GeminiReply["usageMetadata"]>): Usage => ({
  inputTokens: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
  outputTokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
  cachedInputTokens: usage.cachedContentTokenCount ?? 0,
  reasoningTokens: usage.thoughtsTokenCount ?? 0,
});

/** Converts the replies of a streamed answer; the connection closes after the last one. */
export class GeminiReader implements PartReader<GeminiReply> {
  private reason: string | null = null;
  private usage: Usage | null = null;
  private readonly calls = new ToolCalls();

  constructor(private readonly vendor: CalledVendor) {}

  get isComplete(): boolean {
    return this.reason !== null;
  }

  read(reply: GeminiReply, parts: PartQueue): void {
    const { candidates, promptFeedback, usageMetadata } = reply;
    if (promptFeedback?.blockReason)
      throw describeFault(this.vendor, {
        statusCode: 400,
        code: "content_filter",
        message: promptFeedback.blockReasonMessage ?? promptFeedback.blockReason,
      });
    if (candidates === undefined && usageMetadata === undefined) requireNoFault(this.vendor, reply);
    const candidate = candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) this.readPart(part, parts);
    this.reason = candidate?.finishReason ?? this.reason;
    if (usageMetadata) this.usage = readUsage(usageMetadata);
  }

  /** Without a reason, the stream was cut off, even if it closed cleanly. */
  end(parts: PartQueue, isMarked: boolean): void {
    if (this.reason === null && !isMarked) return;
    const reason = this.calls.correct(mapFinishReason(this.reason ?? "STOP"));
    parts.add({ type: "finish", reason, usage: this.usage });
  }

  /** A call always arrives whole, and often without an id. */
  private readPart(part: GeminiPart, parts: PartQueue): void {
    const { text, thought, functionCall, thoughtSignature } = part;
    if (text) parts.addText(thought === true ? "reasoning-delta" : "text-delta", text);
    if (functionCall === undefined) return;
    const key = Symbol("call");
    const { id, name, args = {} } = functionCall;
    this.calls.add(key, { id, name, input: args }, parts);
    const metadata = thoughtSignature === undefined ? undefined : { gemini: { thoughtSignature } };
    this.calls.end(key, parts, { metadata });
  }
}
