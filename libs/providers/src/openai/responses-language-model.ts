import type OpenAI from "openai";
import { findCatalogueModel, type CatalogueModel } from "../catalogue/model-catalogue.ts";
import { describeFault, type CalledVendor } from "../http/describe-fault.ts";
import { readFault, requireNoFault } from "../http/read-fault.ts";
import { runStream, type PartQueue, type PartReader } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
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
function readFinishedItem(item: OutputItem, parts: PartQueue): void {
  if (item.type === "function_call")
    parts.add({
      type: "tool-call-end",
      id: item.call_id,
      name: item.name,
      input: item.arguments || "{}",
    });
  if (item.type === "reasoning" && item.encrypted_content)
    parts.add({
      type: "reasoning-end",
      metadata: { openai: { id: item.id, encryptedContent: item.encrypted_content } },
    });
}

/** Converts the events of a response. */
export class ResponseEventReader implements PartReader<Received> {
  /** Calls by item ID, which is the only ID in their deltas. */
  private readonly calls = new Map<string | undefined, string>();
  private hasDeltas = false;

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
        parts.addText("reasoning-delta", event.delta);
        break;
      case "response.output_item.added":
        if (event.item.type === "function_call") {
          this.calls.set(event.item.id, event.item.call_id);
          parts.add({ type: "tool-call-start", id: event.item.call_id, name: event.item.name });
        }
        break;
      case "response.function_call_arguments.delta": {
        const id = this.calls.get(event.item_id);
        if (id !== undefined && event.delta)
          parts.add({ type: "tool-call-delta", id, text: event.delta });
        break;
      }
      case "response.output_item.done":
        readFinishedItem(event.item, parts);
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
    const reason = this.calls.size > 0 ? "tool-calls" : "stop";
    parts.add({ type: "finish", reason, usage: null });
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
    if (!this.hasDeltas) this.readOutput(response.output ?? [], parts);
    const isIncomplete = status === "incomplete" || status === "cancelled";
    parts.add({
      type: "finish",
      reason: isIncomplete
        ? mapIncompleteReason(details?.reason)
        : this.calls.size > 0
          ? "tool-calls"
          : "stop",
      usage: readUsage(response),
    });
  }

  /** Adds the parts of a response that wasn't streamed. */
  private readOutput(items: readonly OutputItem[], parts: PartQueue): void {
    for (const item of items) {
      if (item.type === "reasoning")
        for (const { text } of [...(item.summary ?? []), ...(item.content ?? [])])
          parts.addText("reasoning-delta", text);
      if (item.type === "message")
        for (const piece of item.content)
          parts.addText("text-delta", piece.type === "refusal" ? piece.refusal : piece.text);
      if (item.type === "function_call" && !this.calls.has(item.id)) {
        this.calls.set(item.id, item.call_id);
        parts.add({ type: "tool-call-start", id: item.call_id, name: item.name });
        readFinishedItem(item, parts);
      }
    }
  }
}
