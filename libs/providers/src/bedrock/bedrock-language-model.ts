import {
  findCatalogueModel,
  findModelOfAnyVendor,
  type CatalogueModel,
} from "../catalogue/model-catalogue.ts";
import { runStream } from "../http/run-stream.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import { authorize, refuseBedrockReply, type BedrockEndpoint } from "./bedrock-endpoint.ts";
import { buildConverseRequest } from "./converse-request.ts";
import { ConverseReader } from "./read-converse-events.ts";
import { EventStreamMessages, loadEventStreams } from "./split-event-stream.ts";

interface BedrockOptions extends BedrockEndpoint {
  model: string;
  contextWindow: number;
  maxTokens: number | undefined;
  facts?: ModelFacts | undefined;
}

/** `us.anthropic.claude-…-v1:0` is an inference profile of Anthropic's `claude-…`. */
function findKnownModel(id: string): CatalogueModel | undefined {
  const [, vendor, name] = /^(?:[a-z]+\.)?([a-z0-9]+)\.(.+?)(?:-v\d+(?::\d+)*)?$/.exec(id) ?? [];
  if (vendor === undefined || name === undefined) return undefined;
  return findCatalogueModel(vendor, name) ?? findModelOfAnyVendor(name);
}

/** Converse, which speaks to all of Bedrock's models alike. */
export class BedrockLanguageModel implements LanguageModel {
  readonly provider = "bedrock";
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens: number | null;
  private readonly known: Partial<CatalogueModel>;
  constructor(private readonly options: BedrockOptions) {
    this.model = options.model;
    this.contextWindow = options.facts?.contextWindow ?? options.contextWindow;
    this.answerTokens = options.maxTokens ?? null;
    this.known = { ...findKnownModel(options.model), ...options.facts };
  }

  /** Converse has no field for the effort. */
  get parameters(): ModelParameters {
    const temperature = this.known.temperature ?? true;
    return { temperature, topP: temperature, effort: false };
  }

  supportsImages(): Promise<boolean | null> {
    return Promise.resolve(this.known.vision ?? null);
  }

  supportsTools(): Promise<boolean | null> {
    return Promise.resolve(this.known.tools ?? null);
  }

  async *stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, limits } = this.options;
    const url = new URL(`${baseUrl}/model/${encodeURIComponent(this.model)}/converse-stream`);
    const eventStreams = await loadEventStreams();
    yield* runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: url.href,
      limits,
      headers: (body) => authorize(this.options, { method: "POST", url, body }),
      request: () =>
        buildConverseRequest(call, {
          maxTokens: call.maxTokens ?? this.options.maxTokens,
          acceptsTemperature: this.parameters.temperature,
        }),
      splitter: new EventStreamMessages(eventStreams),
      reader: new ConverseReader(vendor),
      refuse: (reply, text) => refuseBedrockReply(vendor, reply, text),
    });
  }
}
