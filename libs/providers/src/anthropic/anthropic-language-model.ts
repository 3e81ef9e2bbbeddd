import type Anthropic from "@anthropic-ai/sdk";
import type { ProviderReply } from "@carrel/egress";
import { findCatalogueModel, type CatalogueModel } from "../catalogue/model-catalogue.ts";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { readFault, requireNoFault } from "../http/read-fault.ts";
import { sharedFetch, type CallLimits } from "../http/run-request.ts";
import { readErrorBody, runStream, type PartQueue, type PartReader } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import { ToolCalls } from "../http/tool-calls.ts";
import { withOwnHeaders } from "../setting-values.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import type { ProviderError } from "../spec/provider-error.ts";
import type { FinishReason, StreamPart, Usage } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import { buildMessageRequest, type CacheControl } from "./message-request.ts";

/** Maps `stop_reason` of the Messages API. */
function mapStopReason(reason: string | null): FinishReason {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "content-filter";
    case "tool_use":
      return "tool-calls";
    case "pause_turn":
      return "incomplete";
    default:
      return "other";
  }
}

type Event = Anthropic.RawMessageStreamEvent;

/** Anthropic counts the parts of the prompt that it wrote to or read from its cache separately. */
function readUsage(usage: Anthropic.Usage | undefined): Usage | null {
  if (usage === undefined) return null;
  const cached = usage.cache_read_input_tokens ?? 0;
  return {
    inputTokens: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + cached,
    outputTokens: usage.output_tokens,
    cachedInputTokens: cached,
  };
}

function addOutput(usage: Usage, final: Anthropic.MessageDeltaUsage | undefined): Usage {
  if (final === undefined) return usage;
  const reasoning = final.output_tokens_details?.thinking_tokens;
  return {
    ...usage,
    outputTokens: final.output_tokens,
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

/** The blocks of one message by their index in it. */
class Blocks {
  readonly calls = new ToolCalls();
  /** Signatures of open thinking, by its index. */
  private readonly signatures = new Map<number, string>();

  start({ index, content_block }: Anthropic.RawContentBlockStartEvent, parts: PartQueue): void {
    // Empty in a stream, but a message that isn't streamed has all its text here.
    if (content_block.type === "text") parts.addText("text-delta", content_block.text);
    if (content_block.type === "thinking") parts.addText("reasoning-delta", content_block.thinking);
    if (content_block.type === "thinking") this.signatures.set(index, content_block.signature);
    if (content_block.type === "redacted_thinking")
      parts.add({
        type: "reasoning-end",
        metadata: { anthropic: { redacted: content_block.data } },
      });
    if (content_block.type === "tool_use") {
      const { id, name, input } = content_block;
      // Empty in a stream.
      const isEmpty = JSON.stringify(input ?? {}) === "{}";
      this.calls.add(index, { id, name, ...(!isEmpty && { input }) }, parts);
    }
  }

  add({ index, delta }: Anthropic.RawContentBlockDeltaEvent, parts: PartQueue): void {
    if (delta.type === "text_delta") parts.addText("text-delta", delta.text);
    if (delta.type === "thinking_delta") parts.addText("reasoning-delta", delta.thinking);
    const signature = this.signatures.get(index);
    if (delta.type === "signature_delta" && signature !== undefined)
      this.signatures.set(index, signature + delta.signature);
    if (delta.type === "input_json_delta" && this.calls.has(index))
      this.calls.add(index, { input: delta.partial_json }, parts);
  }

  end({ index }: Anthropic.RawContentBlockStopEvent, parts: PartQueue): void {
    const signature = this.signatures.get(index);
    this.signatures.delete(index);
    if (signature) parts.add({ type: "reasoning-end", metadata: { anthropic: { signature } } });
    this.calls.end(index, parts);
  }
}

/** The event sent instead of the next one when something fails (not in the SDK's types). */
interface ErrorEvent {
  type: "error" | undefined;
}
type Received = Event | Anthropic.Message | ErrorEvent;

/** Converts the events of a message. */
export class MessageEventReader implements PartReader<Received> {
  private readonly blocks = new Blocks();
  private usage: Usage | null = null;
  private reason: string | null = null;

  constructor(private readonly vendor: CalledVendor) {}

  /** The message ends with `message_stop`, but the reason comes before that. */
  get isComplete(): boolean {
    return this.reason !== null;
  }

  read(event: Received, parts: PartQueue): void {
    switch (event.type) {
      case "message_start":
        this.usage = readUsage(event.message?.usage);
        break;
      case "content_block_start":
        this.blocks.start(event, parts);
        break;
      case "content_block_delta":
        this.blocks.add(event, parts);
        break;
      case "content_block_stop":
        this.blocks.end(event, parts);
        break;
      case "message_delta":
        this.reason = event.delta?.stop_reason ?? this.reason;
        if (this.usage) this.usage = addOutput(this.usage, event.usage);
        break;
      case "message_stop":
        this.finish(parts);
        break;
      case "message":
        this.readMessage(event, parts);
        break;
      case "error":
        throw describeFault(this.vendor, readFault(event) ?? {});
      case undefined:
        requireNoFault(this.vendor, event);
        break;
      default:
        break;
    }
  }

  end(parts: PartQueue, isMarked: boolean): void {
    if (isMarked || this.reason !== null) this.finish(parts);
  }

  /** Reads a whole message sent instead of a stream. */
  private readMessage(message: Anthropic.Message, parts: PartQueue): void {
    for (const [index, content_block] of message.content.entries()) {
      this.blocks.start({ type: "content_block_start", index, content_block }, parts);
      this.blocks.end({ type: "content_block_stop", index }, parts);
    }
    this.usage = readUsage(message.usage);
    this.reason = message.stop_reason;
    this.finish(parts);
  }

  private finish(parts: PartQueue): void {
    const { calls } = this.blocks;
    calls.endAll(parts);
    const reason = calls.correct(this.reason === null ? "stop" : mapStopReason(this.reason));
    parts.add({ type: "finish", reason, usage: this.usage });
  }
}

export interface AnthropicEndpoint {
  vendor: CalledVendor;
  /** Without /v1. */
  baseUrl: string;
  apiKey: string;
  limits: CallLimits;
}

/** Takes 26 MB of memory, so it is loaded on the first call rather than at startup. */
let sdk: typeof import("@anthropic-ai/sdk") | undefined;

/**
 * For everything except streamed answers: the official SDK without its own retries, timeouts,
 * logging and environment variables.
 */
export async function createAnthropicClient({
  baseUrl,
  apiKey,
  limits,
}: AnthropicEndpoint): Promise<Anthropic> {
  sdk ??= await import("@anthropic-ai/sdk");
  return new sdk.Anthropic({
    baseURL: baseUrl,
    apiKey,
    authToken: null,
    webhookKey: null,
    fetch: withOwnHeaders(sharedFetch(new URL(baseUrl).origin, limits), {
      authorization: `Bearer ${apiKey}`,
      "x-api-key": null,
    }),
    maxRetries: 0,
    timeout: 24 * 3_600_000,
    logLevel: "off",
  });
}

/**
 * Error bodies are `{type: 'error', error: {type, message}}`, in a response or as an event in the
 * stream.
 */
export function describeAnthropicFault(
  vendor: CalledVendor,
  fault: unknown,
  started: boolean,
): ProviderError {
  if (!sdk || !(fault instanceof sdk.APIError) || fault instanceof sdk.APIConnectionError)
    return describeTransportFault(vendor, fault, started);
  const body = fault.error as
    | { error?: { type?: string; message?: string }; type?: string; message?: string }
    | undefined;
  const inner = body?.error ?? body;
  return describeFault(vendor, {
    statusCode: fault.status,
    code: inner?.type,
    message: inner?.message ?? fault.message,
    retryAfterMs: retryAfter(fault.headers),
    cause: fault,
  });
}

/** Version of the Messages API, as in the SDK. */
const protocolVersion = "2026-10-21";
/** The Messages API requires a limit; old models support no more than this. */
const defaultMaxTokens = 8_192;

/** What every Claude model since 3 can do, for ids the catalogue doesn't know yet. */
const newestModel: CatalogueModel = {
  contextWindow: 200_000,
  outputLimit: defaultMaxTokens,
  vision: true,
  tools: true,
  reasoning: true,
  temperature: false,
};

/** Models that think but predate the effort setting. */
const fixedEffort =
  /^claude-(?:\d|(?:opus|sonnet|haiku)-4(?:-[01])?(?!-\d$|-\d-)|(?:sonnet|haiku)-4-5)/;

export const findAnthropicModel = (id: string): CatalogueModel =>
  findCatalogueModel("anthropic", id) ?? newestModel;

export class AnthropicLanguageModel implements LanguageModel {
  readonly provider = "anthropic";
  readonly contextWindow: number;
  readonly answerTokens: number;
  private readonly known: CatalogueModel;
  constructor(
    private readonly endpoint: AnthropicEndpoint,
    readonly model: string,
    private readonly cacheControl: CacheControl,
    facts: ModelFacts = {},
  ) {
    this.known = { ...findAnthropicModel(model), ...facts };
    this.contextWindow = this.known.contextWindow;
    this.answerTokens = Math.min(defaultMaxTokens, this.known.outputLimit);
  }

  get parameters(): ModelParameters {
    const effort = this.known.reasoning && !fixedEffort.test(this.model);
    return { temperature: false, topP: false, effort };
  }

  supportsImages(): Promise<boolean> {
    return Promise.resolve(this.known.vision);
  }

  supportsTools(): Promise<boolean> {
    return Promise.resolve(this.known.tools);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, apiKey, limits } = this.endpoint;
    return runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: `${baseUrl}/v1/messages`,
      limits,
      headers: { authorization: `Bearer ${apiKey}`, "anthropic-version": protocolVersion },
      request: () =>
        buildMessageRequest(call, {
          model: this.model,
          maxTokens: this.answerTokens,
          cacheControl: this.cacheControl,
          acceptsEffort: this.parameters.effort,
        }),
      splitter: new TextEvents(),
      reader: new MessageEventReader(vendor),
      refuse: (reply, text) => refuseAnthropic(vendor, reply, text),
    });
  }
}

/** Error bodies are `{type: 'error', error: {type, message}}`. */
function refuseAnthropic(vendor: CalledVendor, reply: ProviderReply, text: string): ProviderError {
  const { code, message = text } = readFault(readErrorBody(text)) ?? {};
  return describeFault(vendor, {
    statusCode: reply.status,
    code,
    message,
    retryAfterMs: retryAfter({ get: (name) => reply.header(name) }),
  });
}
