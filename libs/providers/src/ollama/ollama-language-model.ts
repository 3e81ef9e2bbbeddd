import type { ProviderReply } from "@carrel/egress";
import {
  Ollama,
  type ChatRequest,
  type ChatResponse,
  type Message,
  type Tool,
  type ToolCall,
} from "ollama";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { readFault, requireNoFault } from "../http/read-fault.ts";
import { sharedFetch, type CallLimits } from "../http/run-request.ts";
import { readErrorBody, runStream, type PartQueue, type PartReader } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import { ToolCalls } from "../http/tool-calls.ts";
import { withOwnHeaders } from "../setting-values.ts";
import type {
  LanguageModel,
  LanguageModelCall,
  ModelParameters,
  ToolDefinition,
} from "../spec/language-model.ts";
import {
  contentParts,
  requireNoFiles,
  type AssistantPart,
  type ImagePart,
  type ModelMessage,
  type TextPart,
  type UserPart,
} from "../spec/message.ts";
import type { ProviderError } from "../spec/provider-error.ts";
import type { FinishReason, StreamPart } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";

export interface OllamaEndpoint {
  vendor: CalledVendor;
  baseUrl: string;
  authToken: string | undefined;
  limits: CallLimits;
}

/** Describes a refusal. For a proxy's error page, its text is the best message available. */
function describeRefusal(
  vendor: CalledVendor,
  status: number,
  text: string,
  header: (name: string) => string | null,
): ProviderError {
  return describeFault(vendor, {
    statusCode: status,
    message: readFault(readErrorBody(text))?.message ?? text,
    retryAfterMs: retryAfter({ get: header }),
  });
}

/** Describes a reply with an error status. */
export const refuseOllama = (
  vendor: CalledVendor,
  reply: ProviderReply,
  text: string,
): ProviderError => describeRefusal(vendor, reply.status, text, (name) => reply.header(name));

/**
 * For everything except streamed answers: the official SDK. `fetch` handles the signal and
 * refusals, because the SDK supports no signal and prints refusals to the console.
 */
export function createOllamaClient(
  { vendor, baseUrl, authToken, limits }: OllamaEndpoint,
  signal: AbortSignal,
): Ollama {
  const send = withOwnHeaders(sharedFetch(new URL(baseUrl).origin, limits), {
    authorization: authToken ? `Bearer ${authToken}` : null,
  });
  return new Ollama({
    host: baseUrl,
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const reply = await send(input, {
        ...init,
        signal: init?.signal ? AbortSignal.any([signal, init.signal]) : signal,
      });
      if (reply.ok) return reply;
      throw describeRefusal(vendor, reply.status, await reply.text(), (name) =>
        reply.headers.get(name),
      );
    },
  });
}

const joinText = (parts: readonly { type: string }[]): string =>
  parts.map((part) => (part.type === "text" ? (part as TextPart).text : "")).join("");

function convertUser(content: string | UserPart[]): Message {
  const parts = contentParts(content);
  const images = parts.filter((part): part is ImagePart => part.type === "image");
  return {
    role: "user",
    content: joinText(parts),
    ...(images.length > 0 && { images: images.map(({ base64 }) => base64) }),
  };
}

function convertAssistant(content: string | AssistantPart[]): Message {
  const parts = contentParts(content);
  const calls = parts.filter((part) => part.type === "tool-call");
  const thinking = parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  return {
    role: "assistant",
    content: joinText(parts),
    ...(thinking !== "" && { thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ name, input }) => ({ function: { name, arguments: input } })),
    }),
  };
}

/** Converts to messages of /api/chat, which match a tool's result by the tool's name. */
function convertMessage(message: ModelMessage): Message[] {
  switch (message.role) {
    case "user":
      return [convertUser(message.content)];
    case "assistant":
      return [convertAssistant(message.content)];
    case "tool":
      return message.content.map(({ name, output }) => ({
        role: "tool",
        tool_name: name,
        content: output,
      }));
  }
}

/** The protocol has no tool choice, so a choice limits which tools are offered. */
function offeredTools({ tools = [], toolChoice = "auto" }: LanguageModelCall): Tool[] {
  const offered =
    toolChoice === "none"
      ? []
      : typeof toolChoice === "string"
        ? tools
        : tools.filter(({ name }) => name === toolChoice.tool);
  return offered.map(({ name, description, inputSchema }: ToolDefinition): Tool => ({
    type: "function",
    function: {
      name,
      description,
      parameters: inputSchema as NonNullable<Tool["function"]["parameters"]>,
    },
  }));
}

/** The body of an /api/chat request; `contextWindow` is null to leave it to the server. */
function buildChatRequest(
  call: LanguageModelCall,
  {
    model,
    contextWindow,
    keepAliveSeconds,
    acceptsEffort,
  }: {
    model: string;
    contextWindow: number | null;
    keepAliveSeconds: number;
    acceptsEffort: boolean;
  },
): ChatRequest & { stream: true } {
  const tools = offeredTools(call);
  return {
    model,
    stream: true,
    messages: [
      ...(call.system ? [{ role: "system", content: call.system }] : []),
      ...call.messages.flatMap(convertMessage),
    ],
    keep_alive: keepAliveSeconds < 0 ? -1 : `${keepAliveSeconds}s`,
    ...(tools.length > 0 && { tools }),
    ...(call.effort != null && acceptsEffort && { think: call.effort }),
    ...(call.output !== undefined && { format: call.output.schema }),
    options: {
      ...(contextWindow !== null && { num_ctx: contextWindow }),
      ...(call.temperature !== null && { temperature: call.temperature }),
      ...(call.topP != null && { top_p: call.topP }),
      ...(call.maxTokens !== undefined && { num_predict: call.maxTokens }),
    },
  };
}

function mapDoneReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case "stop":
    case undefined:
    case "":
      return "stop";
    case "length":
      return "length";
    // The model was unloaded while answering, or only loaded.
    case "load":
    case "unload":
      return "incomplete";
    default:
      return "other";
  }
}

/** Converts the lines of a chat. Ollama reports neither cached nor reasoning tokens. */
export class ReplyReader implements PartReader<ChatResponse> {
  private readonly calls = new ToolCalls();

  constructor(private readonly vendor: CalledVendor) {}

  read(reply: ChatResponse, parts: PartQueue): void {
    if (!reply.message && !reply.done) requireNoFault(this.vendor, reply);
    parts.addText("reasoning-delta", reply.message?.thinking);
    parts.addText("text-delta", reply.message?.content);
    for (const call of reply.message?.tool_calls ?? []) this.readCall(call, parts);
    if (!reply.done) return;
    // Ollama doesn't recount a prompt cached from the last turn, so there is no accurate number.
    const counted =
      typeof reply.eval_count === "number" && typeof reply.prompt_eval_count === "number";
    parts.add({
      type: "finish",
      reason: this.calls.correct(mapDoneReason(reply.done_reason)),
      usage: counted
        ? { inputTokens: reply.prompt_eval_count, outputTokens: reply.eval_count }
        : null,
    });
  }

  /** Ollama doesn't mark the end, but gateways in front of it may. */
  end(parts: PartQueue, isMarked: boolean): void {
    if (isMarked) parts.add({ type: "finish", reason: this.calls.correct("stop"), usage: null });
  }

  /** Ollama sends each call whole; older versions omit the id. */
  private readCall({ id, function: called }: ToolCall & { id?: string }, parts: PartQueue): void {
    const key = Symbol("call");
    this.calls.add(key, { id, name: called?.name, input: called?.arguments ?? {} }, parts);
    this.calls.end(key, parts);
  }
}

export interface OllamaOptions extends OllamaEndpoint {
  model: string;
  contextWindow: number;
  facts?: ModelFacts | undefined;
  /**
   * false: we don't set the context length, so the server's own applies (specification 2:
   * performance mode `base`).
   */
  setsContext: boolean;
  /** How long the model stays loaded, in seconds; -1 means forever. */
  keepAliveSeconds: number;
}

export class OllamaLanguageModel implements LanguageModel {
  readonly provider = "ollama";
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens = null;
  private capabilities: readonly string[] | null = null;
  constructor(private readonly options: OllamaOptions) {
    this.model = options.model;
    this.contextWindow = options.facts?.contextWindow ?? options.contextWindow;
  }

  /** Other models have no effort setting: they think or they don't. */
  get parameters(): ModelParameters {
    return { temperature: true, topP: true, effort: /(?:^|\/)gpt-oss/.test(this.model) };
  }

  async supportsImages(signal: AbortSignal): Promise<boolean | null> {
    return this.options.facts?.vision ?? this.hasCapability("vision", signal);
  }

  async supportsTools(signal: AbortSignal): Promise<boolean | null> {
    return this.options.facts?.tools ?? this.hasCapability("tools", signal);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, authToken, limits, setsContext, keepAliveSeconds } = this.options;
    return runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: `${baseUrl}/api/chat`,
      limits,
      headers: authToken ? { authorization: `Bearer ${authToken}` } : {},
      request: () => {
        requireNoFiles(vendor, call.messages);
        return buildChatRequest(call, {
          model: this.model,
          contextWindow: setsContext ? this.contextWindow : null,
          keepAliveSeconds,
          acceptsEffort: this.parameters.effort,
        });
      },
      splitter: new TextEvents(),
      reader: new ReplyReader(vendor),
      refuse: (reply, text) => refuseOllama(vendor, reply, text),
    });
  }

  /**
   * Reads `capabilities` from /api/show (since Ollama 0.6.4). Older servers don't report them, and
   * a failed request is repeated next time.
   */
  private async hasCapability(name: string, signal: AbortSignal): Promise<boolean | null> {
    if (this.capabilities === null) {
      try {
        const { capabilities } = await createOllamaClient(
          this.options,
          AbortSignal.any([signal, AbortSignal.timeout(3_000)]),
        ).show({ model: this.model });
        if (Array.isArray(capabilities)) this.capabilities = capabilities;
      } catch {
        // The server is unreachable or doesn't know the model; the actual question will report that
        // more clearly.
        return null;
      }
    }
    return this.capabilities?.includes(name) ?? null;
  }
}
