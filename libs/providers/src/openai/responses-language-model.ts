import type OpenAI from "openai";
import { findCatalogueModel, type CatalogueModel } from "../catalogue/model-catalogue.ts";
import { describeFault, type CalledVendor } from "../http/describe-fault.ts";
import { readFault, requireNoFault } from "../http/read-fault.ts";
import { runStream, type PartQueue, type PartReader } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import { ToolCalls } from "../http/tool-calls.ts";
import type {
  LanguageModel,
  LanguageModelCall,
  ModelParameters,
  ToolChoice,
} from "../spec/language-model.ts";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type UserPart,
} from "../spec/message.ts";
import type { StreamPart, Usage } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import { convertUserContent } from "./chat-request.ts";
import { openAiHeaders, refuseOpenAi, type OpenAiEndpoint } from "./openai-client.ts";
import { mapIncompleteReason } from "./read-chat-chunks.ts";

/** What OpenAI's newest models can do, for ids the catalogue doesn't know yet. */
const newestModel: CatalogueModel = {
  contextWindow: 128_000,
  outputLimit: 16_384,
  vision: true,
  tools: true,
  reasoning: false,
  temperature: false,
};

export const findOpenAiModel = (id: string): CatalogueModel =>
  findCatalogueModel("openai", id) ?? newestModel;

/** OpenAI's own models, through the Responses API (docs/decisions/model-providers.md). */
export class ResponsesLanguageModel implements LanguageModel {
  readonly provider = "openai";
  readonly contextWindow: number;
  readonly answerTokens = null;
  private readonly known: CatalogueModel;
  constructor(
    private readonly endpoint: OpenAiEndpoint,
    readonly model: string,
    facts: ModelFacts = {},
  ) {
    this.known = { ...findOpenAiModel(model), ...facts };
    this.contextWindow = this.known.contextWindow;
  }

  get parameters(): ModelParameters {
    const { temperature, reasoning } = this.known;
    return { temperature, topP: temperature, effort: reasoning };
  }

  supportsImages(): Promise<boolean> {
    return Promise.resolve(this.known.vision);
  }

  supportsTools(): Promise<boolean> {
    return Promise.resolve(this.known.tools);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, limits } = this.endpoint;
    return runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: `${baseUrl}/responses`,
      limits,
      headers: openAiHeaders(this.endpoint),
      request: () =>
        buildResponseRequest(call, {
          model: this.model,
          acceptsTemperature: this.known.temperature,
          isReasoning: this.known.reasoning,
        }),
      splitter: new TextEvents(),
      reader: new ResponseEventReader(vendor),
      refuse: (reply, text) => refuseOpenAi(vendor, reply, text),
    });
  }
}

/** OpenAI refuses a lower limit for the answer. */
const leastTokens = 16;

function mapToolChoice(
  choice: ToolChoice,
): OpenAI.Responses.ResponseCreateParamsStreaming["tool_choice"] {
  return typeof choice === "string" ? choice : { type: "function", name: choice.tool };
}

/** The body of a Responses API request. OpenAI stores nothing (`store: false`). */
function buildResponseRequest(
  call: LanguageModelCall,
  {
    model,
    acceptsTemperature,
    isReasoning,
  }: { model: string; acceptsTemperature: boolean; isReasoning: boolean },
): OpenAI.Responses.ResponseCreateParamsStreaming {
  const { tools = [], toolChoice, parallelToolCalls, output } = call;
  return {
    model,
    stream: true,
    store: false,
    input: call.messages.flatMap(convertResponseInput),
    ...(call.system && { instructions: call.system }),
    ...(call.temperature !== null && acceptsTemperature && { temperature: call.temperature }),
    // Reasoning models reject both.
    ...(call.topP != null && acceptsTemperature && { top_p: call.topP }),
    ...(call.effort != null && isReasoning && { reasoning: { effort: call.effort } }),
    ...(call.maxTokens !== undefined && {
      max_output_tokens: Math.max(call.maxTokens, leastTokens),
    }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function" as const,
        name,
        description,
        parameters: inputSchema,
        // Strict mode rejects the optional properties that most tools have.
        strict: false,
      })),
      ...(toolChoice !== undefined && { tool_choice: mapToolChoice(toolChoice) }),
      ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
      // Between tool calls, the model continues its reasoning only if it gets it back.
      ...(isReasoning && { include: ["reasoning.encrypted_content" as const] }),
    }),
    ...(output !== undefined && {
      text: {
        format: {
          type: "json_schema" as const,
          name: output.name,
          schema: output.schema,
          strict: true,
        },
      },
    }),
  };
}

type Item = OpenAI.Responses.ResponseInputItem;

function convertUserPart(part: UserPart): OpenAI.Responses.ResponseInputContent {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image":
      return {
        type: "input_image",
        detail: "auto",
        image_url: `data:${part.mime};base64,${part.base64}`,
      };
    case "file":
      return {
        type: "input_file",
        filename: part.filename,
        file_data: `data:${part.mime};base64,${part.base64}`,
      };
  }
}

function convertAssistantPart(part: AssistantPart): Item[] {
  switch (part.type) {
    case "text":
      return [{ role: "assistant", content: part.text }];
    case "tool-call":
      return [
        {
          type: "function_call",
          call_id: part.id,
          name: part.name,
          arguments: JSON.stringify(part.input),
        },
      ];
    case "reasoning": {
      // OpenAI stores nothing for us, so it only accepts back reasoning that it encrypted.
      const { id, encryptedContent } = part.metadata?.openai ?? {};
      if (id === undefined || encryptedContent === undefined) return [];
      return [
        {
          type: "reasoning",
          id,
          encrypted_content: encryptedContent,
          summary: part.text === "" ? [] : [{ type: "summary_text", text: part.text }],
        },
      ];
    }
  }
}

/** Converts to input items of the Responses API, where calls and reasoning are separate items. */
function convertResponseInput(message: ModelMessage): Item[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: convertUserContent(message.content, convertUserPart) }];
    case "assistant":
      return typeof message.content === "string"
        ? [{ role: "assistant", content: message.content }]
        : contentParts(message.content).flatMap(convertAssistantPart);
    case "tool":
      return message.content.map(({ id, output }) => ({
        type: "function_call_output",
        call_id: id,
        output,
      }));
  }
}

type Event = OpenAI.Responses.ResponseStreamEvent;
type OutputItem = OpenAI.Responses.ResponseOutputItem;
type FunctionCall = OpenAI.Responses.ResponseFunctionToolCall;
/** Anything that isn't an event of a stream. */
type Untyped = { type?: undefined } & object;
type Received = Event | Untyped;

const isResponse = (reply: object): reply is OpenAI.Responses.Response =>
  "object" in reply && reply.object === "response";

function readUsage({ usage }: OpenAI.Responses.Response): Usage | null {
  if (!usage) return null;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cachedInputTokens: usage.input_tokens_details?.cached_tokens,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens,
  };
}

/** Only encrypted reasoning can be sent back, and only if it was requested. */
function readReasoningEnd(item: OutputItem, parts: PartQueue): void {
  if (item.type === "reasoning" && item.encrypted_content)
    parts.add({
      type: "reasoning-end",
      metadata: { openai: { id: item.id, encryptedContent: item.encrypted_content } },
    });
}

/** Converts the events of a response. */
export class ResponseEventReader implements PartReader<Received> {
  /** By item ID, which is the only ID in their deltas. */
  private readonly calls = new ToolCalls();
  /** Items whose calls have been read. */
  private readonly ended = new Set<string>();
  private hasDeltas = false;
  private hasReasoning = false;

  constructor(private readonly vendor: CalledVendor) {}

  read(event: Received, parts: PartQueue): void {
    if (event.type === undefined) return this.readUntyped(event, parts);
    switch (event.type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.hasDeltas = true;
        parts.addText("text-delta", event.delta);
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        this.hasReasoning = true;
        parts.addText("reasoning-delta", event.delta);
        break;
      case "response.output_item.added":
        if (event.item.type === "function_call") this.startCall(event.item, parts);
        break;
      case "response.function_call_arguments.delta":
        if (this.calls.has(event.item_id))
          this.calls.add(event.item_id, { input: event.delta }, parts);
        break;
      case "response.output_item.done":
        this.readFinishedItem(event.item, parts);
        break;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        this.finish(event.response, parts);
        break;
      case "error":
        throw describeFault(this.vendor, readFault(event) ?? {});
      default:
        break; // the other events only repeat what the deltas contained
    }
  }

  /** Every stream has a last event; gateways that translate protocols may only mark the end. */
  end(parts: PartQueue, isMarked: boolean): void {
    if (!isMarked) return;
    this.calls.endAll(parts);
    parts.add({ type: "finish", reason: this.calls.correct("stop"), usage: null });
  }

  /** Gateways may leave out an item's own ID. */
  private startCall({ id, call_id: callId, name }: FunctionCall, parts: PartQueue): void {
    const key = id ?? callId;
    if (!this.calls.has(key)) this.calls.add(key, { id: callId, name }, parts);
  }

  private readFinishedItem(item: OutputItem, parts: PartQueue): void {
    readReasoningEnd(item, parts);
    if (item.type !== "function_call") return;
    const key = item.id ?? item.call_id;
    if (this.ended.has(key)) return;
    this.ended.add(key);
    this.startCall(item, parts);
    this.calls.end(key, parts, { input: item.arguments });
  }

  /** Reads a whole response sent instead of a stream, or a fault. */
  private readUntyped(event: Untyped, parts: PartQueue): void {
    if (isResponse(event)) this.finish(event, parts);
    else requireNoFault(this.vendor, event);
  }

  private finish(response: OpenAI.Responses.Response, parts: PartQueue): void {
    const { status, error, incomplete_details: details } = response;
    if (status === "failed")
      throw describeFault(this.vendor, { code: error?.code, message: error?.message });
    this.readOutput(response.output ?? [], parts);
    this.calls.endAll(parts);
    const isIncomplete = status === "incomplete" || status === "cancelled";
    parts.add({
      type: "finish",
      reason: isIncomplete ? mapIncompleteReason(details?.reason) : this.calls.correct("stop"),
      usage: readUsage(response),
    });
  }

  /** Adds what wasn't streamed: everything, or calls whose events are missing. */
  private readOutput(items: readonly OutputItem[], parts: PartQueue): void {
    for (const item of items) {
      if (item.type === "function_call") this.readFinishedItem(item, parts);
      if (this.hasDeltas) continue;
      if (item.type === "reasoning" && !this.hasReasoning)
        for (const { text } of [...(item.summary ?? []), ...(item.content ?? [])])
          parts.addText("reasoning-delta", text);
      if (item.type === "message")
        for (const piece of item.content)
          parts.addText("text-delta", piece.type === "refusal" ? piece.refusal : piece.text);
    }
  }
}
