import { randomUUID } from "node:crypto";
import { describeFault, type Vendor } from "../http/describe-fault.ts";
import { requireNoFault } from "../http/read-fault.ts";
import type { PartQueue, PartReader } from "../http/run-stream.ts";
import type { FinishReason, Usage } from "../spec/stream-part.ts";
import type { GeminiPart } from "./convert-contents.ts";

/** GenerateContentResponse (ai.google.dev/api/generate-content, v1beta, 2026). */
export interface GeminiReply {
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
  private hasCalls = false;

  constructor(private readonly vendor: Vendor) {}

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
    const reason = mapFinishReason(this.reason ?? "STOP");
    parts.add({
      type: "finish",
      reason: this.hasCalls && reason === "stop" ? "tool-calls" : reason,
      usage: this.usage,
    });
  }

  /** A call always arrives whole, and often without an id. */
  private readPart(part: GeminiPart, parts: PartQueue): void {
    const { text, thought, functionCall, thoughtSignature } = part;
    if (text) parts.addText(thought === true ? "reasoning-delta" : "text-delta", text);
    if (functionCall === undefined) return;
    this.hasCalls = true;
    const id = functionCall.id || `call_${randomUUID()}`;
    const { name } = functionCall;
    const input = JSON.stringify(functionCall.args ?? {});
    parts.add({ type: "tool-call-start", id, name });
    parts.add({ type: "tool-call-delta", id, text: input });
    parts.add({
      type: "tool-call-end",
      id,
      name,
      input,
      ...(thoughtSignature !== undefined && { metadata: { gemini: { thoughtSignature } } }),
    });
  }
}
