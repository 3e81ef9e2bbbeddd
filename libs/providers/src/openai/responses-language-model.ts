import type OpenAI from "openai";
import { findCatalogueModel, type CatalogueModel } from "../catalogue/model-catalogue.ts";
import { runStream } from "../http/run-request.ts";
import type { LanguageModel, LanguageModelCall } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";
import { readResponseEvents } from "./read-response-events.ts";
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
  ) {
    this.known = findOpenAiModel(model);
    this.contextWindow = this.known.contextWindow;
  }

  supportsImages(): Promise<boolean> {
    return Promise.resolve(this.known.vision);
  }

  supportsTools(): Promise<boolean> {
    return Promise.resolve(this.known.tools);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const request = buildResponseRequest(call, {
      model: this.model,
      acceptsTemperature: this.known.temperature,
      isReasoning: this.known.reasoning,
    });
    return runStream<OpenAI.Responses.ResponseStreamEvent>({
      signal: call.signal,
      describe: (fault, started) => describeOpenAiFault(this.endpoint.vendor, fault, started),
      open: async (signal) =>
        (await createOpenAiClient(this.endpoint)).responses.create(request, { signal }),
      read: (events) => readResponseEvents(events, this.endpoint.vendor),
    });
  }
}
