import type { ProviderReply } from "@carrel/egress";
import { findCatalogueModel, type CatalogueModel } from "../catalogue/model-catalogue.ts";
import { describeFault, retryAfter, type Vendor } from "../http/describe-fault.ts";
import { readFault } from "../http/read-fault.ts";
import { readErrorBody, runStream } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import type { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import type { AnthropicEndpoint } from "./anthropic-client.ts";
import type { CacheControl } from "./message-request.ts";
import { buildMessageRequest } from "./message-request.ts";
import { MessageEventReader } from "./read-message-events.ts";

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
function refuseAnthropic(vendor: Vendor, reply: ProviderReply, text: string): ProviderError {
  const { code, message = text } = readFault(readErrorBody(text)) ?? {};
  return describeFault(vendor, {
    statusCode: reply.status,
    code,
    message,
    retryAfterMs: retryAfter({ get: (name) => reply.header(name) }),
  });
}
