import { findCatalogueModel, type CatalogueModel } from "../catalogue/model-catalogue.ts";
import { runStream } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import { openAiHeaders, type OpenAiEndpoint } from "./openai-client.ts";
import { refuseOpenAi } from "./openai-error.ts";
import { ResponseEventReader } from "./read-response-events.ts";
import { buildResponseRequest } from "./response-request.ts";

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
