import { randomUUID } from "node:crypto";
import type OpenAI from "openai";
import type { Vendor } from "../http/describe-fault.ts";
import type { PartQueue } from "../http/part-queue.ts";
import type { PartReader } from "../http/run-stream.ts";
import type { Usage } from "../spec/stream-part.ts";
import { mapChatFinishReason } from "./map-finish-reason.ts";
import { requireNoError } from "./openai-error.ts";

type Chunk = OpenAI.Chat.ChatCompletionChunk;
type ToolCallDelta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall;

interface OpenCall {
  id: string;
  name: string;
  input: string;
}

/**
 * DeepSeek, vLLM and llama.cpp call it reasoning_content, OpenRouter and others reasoning; OpenAI's
 * own protocol has neither.
 */
function readReasoning(delta: object): string {
  if ("reasoning_content" in delta && typeof delta.reasoning_content === "string")
    return delta.reasoning_content;
  return "reasoning" in delta && typeof delta.reasoning === "string" ? delta.reasoning : "";
}

/** The first delta of a call names it; the later ones carry only its index and more input. */
function readToolCall(
  calls: Map<number, OpenCall>,
  { index, id, function: called }: ToolCallDelta,
  parts: PartQueue,
): void {
  let call = calls.get(index);
  if (call === undefined) {
    // Some servers number their calls but give them no id.
    call = { id: id || `call_${randomUUID()}`, name: called?.name ?? "", input: "" };
    calls.set(index, call);
    parts.add({ type: "tool-call-start", id: call.id, name: call.name });
  }
  if (called?.arguments) {
    call.input += called.arguments;
    parts.add({ type: "tool-call-delta", id: call.id, text: called.arguments });
  }
}

const readUsage = (usage: OpenAI.CompletionUsage): Usage => ({
  inputTokens: usage.prompt_tokens ?? 0,
  outputTokens: usage.completion_tokens ?? 0,
  cachedInputTokens: usage.prompt_tokens_details?.cached_tokens,
  reasoningTokens: usage.completion_tokens_details?.reasoning_tokens,
});

/** Converts the chunks of a chat completion. */
export class ChatChunkReader implements PartReader<Chunk> {
  private reason: string | null = null;
  private usage: Usage | null = null;
  private readonly calls = new Map<number, OpenCall>();

  constructor(private readonly vendor: Vendor) {}

  read(chunk: Chunk, parts: PartQueue): void {
    requireNoError(this.vendor, chunk);
    const choice = chunk.choices?.[0];
    if (choice?.delta) {
      parts.addText("reasoning-delta", readReasoning(choice.delta));
      parts.addText("text-delta", choice.delta.content);
      for (const delta of choice.delta.tool_calls ?? []) readToolCall(this.calls, delta, parts);
    }
    this.reason = choice?.finish_reason ?? this.reason;
    if (chunk.usage) this.usage = readUsage(chunk.usage);
  }

  /**
   * The counts follow the reason in a separate chunk. Without a reason the stream was cut off, even
   * if it closed cleanly.
   */
  end(parts: PartQueue): void {
    const { reason, usage, calls } = this;
    if (reason === null) return;
    for (const { id, name, input } of calls.values())
      parts.add({ type: "tool-call-end", id, name, input: input || "{}" });
    // Some servers report "stop" after tool calls.
    parts.add({
      type: "finish",
      reason: calls.size > 0 && reason === "stop" ? "tool-calls" : mapChatFinishReason(reason),
      usage,
    });
  }
}
