import { randomUUID } from "node:crypto";
import type OpenAI from "openai";
import { describeFault, type Vendor } from "../http/describe-fault.ts";
import type { PartQueue } from "../http/part-queue.ts";
import type { PartReader } from "../http/run-stream.ts";
import type { Usage } from "../spec/stream-part.ts";
import type { ChatDialect } from "./chat-dialect.ts";
import { mapChatFinishReason } from "./map-finish-reason.ts";
import { requireNoError } from "./openai-error.ts";
import { ThinkTags } from "./think-tags.ts";

type Chunk = OpenAI.Chat.ChatCompletionChunk;
type Delta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta;

interface OpenCall {
  id: string;
  name: string;
  input: string;
}

/** Mistral's reasoning models stream lists of these instead of texts (docs.mistral.ai, 2025). */
type ContentBlock =
  | { type: "text"; text?: string }
  | { type: "thinking"; thinking?: { text?: string }[] };

/**
 * DeepSeek, vLLM and llama.cpp call it reasoning_content, OpenRouter, Groq and others reasoning;
 * OpenAI's own protocol has neither.
 */
function readReasoning(delta: object): string {
  if ("reasoning_content" in delta && typeof delta.reasoning_content === "string")
    return delta.reasoning_content;
  return "reasoning" in delta && typeof delta.reasoning === "string" ? delta.reasoning : "";
}

/** The first delta of a call names it; the later ones carry only its index and more input. */
function readToolCall(
  calls: Map<number, OpenCall>,
  { index, id, function: called }: NonNullable<Delta["tool_calls"]>[number],
  parts: PartQueue,
): void {
  // Gateways in front of vendors that send calls whole may leave the index out.
  const place = index ?? calls.size;
  let call = calls.get(place);
  if (call === undefined) {
    // Some servers number their calls but give them no id.
    call = { id: id || `call_${randomUUID()}`, name: called?.name ?? "", input: "" };
    calls.set(place, call);
    parts.add({ type: "tool-call-start", id: call.id, name: call.name });
  }
  if (called?.arguments) {
    call.input += called.arguments;
    parts.add({ type: "tool-call-delta", id: call.id, text: called.arguments });
  }
}

/** xAI counts reasoning beside the answer, everyone else as a part of it (docs.x.ai, 2025). */
function readUsage(usage: OpenAI.CompletionUsage): Usage {
  const input = usage.prompt_tokens ?? 0;
  const output = usage.completion_tokens ?? 0;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  const isBeside = reasoning !== undefined && usage.total_tokens === input + output + reasoning;
  return {
    inputTokens: input,
    outputTokens: isBeside ? output + reasoning : output,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens,
    reasoningTokens: reasoning,
  };
}

/** Converts the chunks of a chat completion. */
export class ChatChunkReader implements PartReader<Chunk> {
  private reason: string | null = null;
  private usage: Usage | null = null;
  private readonly calls = new Map<number, OpenCall>();
  private readonly tags = new ThinkTags();

  constructor(
    private readonly vendor: Vendor,
    private readonly readFault: ChatDialect["readFault"],
  ) {}

  get isComplete(): boolean {
    return this.reason !== null;
  }

  read(chunk: Chunk, parts: PartQueue): void {
    requireNoError(this.vendor, chunk);
    const fault = this.readFault?.(chunk) ?? null;
    if (fault !== null) throw describeFault(this.vendor, fault);
    const choice = chunk.choices?.[0];
    if (choice?.delta) this.readDelta(choice.delta, parts);
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
    this.tags.end(parts);
    for (const { id, name, input } of calls.values())
      parts.add({ type: "tool-call-end", id, name, input: input || "{}" });
    // Some servers report "stop" after tool calls.
    parts.add({
      type: "finish",
      reason: calls.size > 0 && reason === "stop" ? "tool-calls" : mapChatFinishReason(reason),
      usage,
    });
  }

  private readDelta(delta: Delta, parts: PartQueue): void {
    parts.addText("reasoning-delta", readReasoning(delta));
    const content = delta.content as string | ContentBlock[] | null | undefined;
    if (typeof content === "string") this.tags.add(content, parts);
    else if (Array.isArray(content)) for (const block of content) this.readBlock(block, parts);
    for (const call of delta.tool_calls ?? []) readToolCall(this.calls, call, parts);
  }

  private readBlock(block: ContentBlock, parts: PartQueue): void {
    if (block.type === "text") this.tags.add(block.text ?? "", parts);
    if (block.type === "thinking")
      for (const { text } of block.thinking ?? []) parts.addText("reasoning-delta", text);
  }
}
