import type OpenAI from "openai";
import { describeFault, type CalledVendor } from "../http/describe-fault.ts";
import { isFaultEvent, requireNoFault, stoppedError } from "../http/read-fault.ts";
import type { PartQueue, PartReader } from "../http/run-stream.ts";
import { ToolCalls } from "../http/tool-calls.ts";
import type { FinishReason, Usage } from "../spec/stream-part.ts";
import type { ChatDialect } from "./chat-request.ts";

type ToolCallDelta = NonNullable<
  OpenAI.Chat.ChatCompletionChunk.Choice.Delta["tool_calls"]
>[number];

/**
 * The fields of a delta, or of the message of an answer that isn't streamed. Mistral's reasoning
 * models send lists of blocks instead of texts (docs.mistral.ai, 2025).
 */
interface ChatDelta {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: ToolCallDelta[] | null;
  /** From OpenAI's protocol before it had tools. */
  function_call?: { name?: string; arguments?: string } | null;
}

/**
 * Called reasoning_content by DeepSeek, vLLM and llama.cpp, reasoning by OpenRouter, Groq and newer
 * vLLM, thinking by others; OpenAI's own protocol has none of them.
 */
const reasoningNames = ["reasoning_content", "reasoning", "thinking", "reasoning_text"];

/** A piece of reasoning; some servers send the same piece under two names. */
function readReasoning(delta: object): string {
  const fields = delta as Record<string, unknown>;
  for (const name of reasoningNames) {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
  }
  const { reasoning_details: details } = fields;
  return Array.isArray(details) ? details.map(readDetail).join("") : "";
}

/** OpenRouter's `{type: "reasoning.text", text}` and `{type: "reasoning.summary", summary}`. */
function readDetail(detail: unknown): string {
  if (typeof detail !== "object" || detail === null) return "";
  const { text, summary } = detail as Record<string, unknown>;
  return typeof text === "string" ? text : typeof summary === "string" ? summary : "";
}

/** Adds reasoning and text of a delta. */
function addDelta(delta: ChatDelta, parts: PartQueue): void {
  parts.addText("reasoning-delta", readReasoning(delta));
  addContent(delta.content, parts);
  if (typeof delta.refusal === "string") parts.addText("text-delta", delta.refusal);
}

/** Adds a text, or blocks of texts, refusals and thinking. */
function addContent(content: unknown, parts: PartQueue): void {
  if (typeof content === "string") parts.addText("text-delta", content);
  else if (Array.isArray(content)) for (const block of content) addContent(block, parts);
  else if (typeof content === "object" && content !== null)
    addBlock(content as Record<string, unknown>, parts);
}

function addBlock({ type, text, refusal, thinking }: Record<string, unknown>, parts: PartQueue) {
  if (type === "thinking" || type === "reasoning") {
    const blocks: unknown[] = Array.isArray(thinking) ? thinking : [thinking ?? text];
    for (const block of blocks)
      parts.addText("reasoning-delta", typeof block === "string" ? block : readDetail(block));
  } else if (typeof text === "string") parts.addText("text-delta", text);
  else if (typeof refusal === "string") parts.addText("text-delta", refusal);
}

/** A chunk, or a whole answer instead of a stream. */
interface Chunk {
  object?: string;
  choices?: Choice[] | null;
  usage?: OpenAI.CompletionUsage | null;
}
interface Choice {
  index?: number;
  delta?: ChatDelta | null;
  message?: ChatDelta | null;
  /** From servers that confuse this protocol with the one for completions. */
  text?: string | null;
  finish_reason?: string | null;
  /** OpenRouter's, with the finish reason `error`. */
  error?: object | null;
}

/** The first delta of a call has its name; later ones carry only its index and more input. */
function readToolCall(
  calls: ToolCalls,
  { index, id, function: called }: ToolCallDelta,
  parts: PartQueue,
): void {
  const piece = { id, name: called?.name, input: called?.arguments };
  // Gateways in front of vendors that send calls whole may omit the index.
  calls.add(calls.findKey(index, piece), piece, parts);
}

/**
 * xAI doesn't include reasoning in the count for the answer; everyone else does (docs.x.ai, 2025).
 */
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

/** Some servers send a single call without its list. */
function listCalls(calls: unknown): ToolCallDelta[] {
  const list: unknown[] = Array.isArray(calls) ? calls : [calls];
  return list.filter((call): call is ToolCallDelta => typeof call === "object" && call !== null);
}

/** Converts the chunks of a chat completion. */
export class ChatChunkReader implements PartReader<Chunk> {
  private reason: string | null = null;
  /**
   * Whether the reason came after the answer. Some servers send one with every chunk, where it
   * means nothing.
   */
  private isReasonLast = false;
  private hasContent = false;
  /**
   * An event that isn't a chunk; if nothing else arrives, its message says why there is no answer.
   */
  private other: object | null = null;
  /** Whether a whole answer came instead of a stream. */
  private isWhole = false;
  /** Whether counts have come in a chunk without choices, which is OpenAI's last one. */
  private hasFinalCounts = false;
  private usage: Usage | null = null;
  private readonly calls = new ToolCalls();

  constructor(
    private readonly vendor: CalledVendor,
    private readonly readFault: ChatDialect["readFault"],
  ) {}

  get isComplete(): boolean {
    return this.isReasonLast || this.isWhole;
  }

  read(chunk: Chunk, parts: PartQueue): void {
    const fault = this.readFault?.(chunk) ?? null;
    if (fault !== null) throw describeFault(this.vendor, fault);
    const { choices, usage } = chunk;
    if (Array.isArray(choices)) {
      if (choices.length > 0) this.hasFinalCounts = false;
      const isWhole = chunk.object === "chat.completion";
      for (const choice of choices)
        if (!choice?.index) this.readChoice(choice ?? {}, isWhole, parts);
    } else if (isFaultEvent(chunk)) requireNoFault(this.vendor, chunk);
    else this.other ??= chunk;
    if (!usage) return;
    this.usage = readUsage(usage);
    this.hasFinalCounts = choices?.length === 0;
  }

  /**
   * The counts follow the reason in a separate chunk. Without a reason or an end mark, the stream
   * was cut off, even if it closed cleanly.
   */
  end(parts: PartQueue, isMarked: boolean): void {
    const { usage, calls, isWhole, hasFinalCounts, other } = this;
    if (other !== null && !this.hasContent && this.reason === null)
      requireNoFault(this.vendor, other);
    const reason = this.reason ?? (isMarked || isWhole || hasFinalCounts ? "stop" : null);
    if (reason === null) return;
    calls.endAll(parts);
    parts.add({ type: "finish", reason: calls.correct(mapChatFinishReason(reason)), usage });
  }

  private readChoice(choice: Choice, isWhole: boolean, parts: PartQueue): void {
    const { delta, message, text, finish_reason: reason, error } = choice;
    const before = parts.added;
    if (delta) this.readDelta(delta, parts);
    // Next to a delta, it repeats the whole answer so far (Perplexity).
    else if (message) this.readDelta(message, parts);
    else addContent(text, parts);
    if (error) requireNoFault(this.vendor, { error });
    if (reason === "error") throw stoppedError(this.vendor);
    const addsContent = parts.added > before;
    // Some servers stream pieces called messages.
    if (message && !delta) this.isWhole = isWhole && !this.hasContent;
    if (addsContent) {
      this.hasContent = true;
      this.isReasonLast = false;
    }
    if (!reason || reason === "null") return;
    this.reason = reason;
    if (!addsContent) this.isReasonLast = this.hasContent;
  }

  private readDelta(delta: ChatDelta, parts: PartQueue): void {
    addDelta(delta, parts);
    for (const call of listCalls(delta.tool_calls)) readToolCall(this.calls, call, parts);
    if (delta.function_call)
      readToolCall(this.calls, { index: 0, function: delta.function_call }, parts);
  }
}

/**
 * Maps `finish_reason` of chat completions, including the words that vendors add to OpenAI's: `eos`
 * (Together), `model_length` (Mistral), `sensitive` (Z.ai), `insufficient_system_resource`
 * (DeepSeek), `abort` (vLLM, SGLang), and the words of vendors behind gateways.
 */
function mapChatFinishReason(reason: string): FinishReason {
  switch (reason.toLowerCase()) {
    case "stop":
    case "eos":
    case "eos_token":
    case "end_turn":
    case "stop_sequence":
    case "complete":
      return "stop";
    case "length":
    case "max_tokens":
    case "max_output_tokens":
    case "model_length":
    case "model_context_window_exceeded":
      return "length";
    case "content_filter":
    case "content-filter":
    case "sensitive":
    case "safety":
    case "prohibited_content":
    case "blocklist":
    case "spii":
    case "recitation":
    case "guardrail_intervened":
    case "guardrails":
    case "refusal":
      return "content-filter";
    case "tool_calls":
    case "tool_use":
    case "function_call":
      return "tool-calls";
    case "abort":
    case "aborted":
    case "cancelled":
    case "network_error":
    case "insufficient_system_resource":
    case "malformed_function_call":
    case "pause_turn":
    case "timeout":
      return "incomplete";
    default:
      return "other";
  }
}

/** Maps `incomplete_details.reason` of the Responses API. */
export function mapIncompleteReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case "max_output_tokens":
    case "max_tokens":
      return "length";
    case "content_filter":
      return "content-filter";
    default:
      return "incomplete";
  }
}
