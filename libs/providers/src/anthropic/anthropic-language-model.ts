import type Anthropic from "@anthropic-ai/sdk";
import { findCatalogueModel, type CatalogueModel } from "../catalogue/model-catalogue.ts";
import { runStream } from "../http/run-request.ts";
import type { LanguageModel, LanguageModelCall } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import {
  createAnthropicClient,
  describeAnthropicFault,
  type AnthropicEndpoint,
} from "./anthropic-client.ts";
import type { CacheControl } from "./map-cache-control.ts";
import { buildMessageRequest } from "./message-request.ts";
import { readMessageEvents } from "./read-message-events.ts";

/** The Messages API requires a limit; old models support no more than theirs. */
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
  ) {
    this.known = findAnthropicModel(model);
    this.contextWindow = this.known.contextWindow;
    this.answerTokens = Math.min(defaultMaxTokens, this.known.outputLimit);
  }

  supportsImages(): Promise<boolean> {
    return Promise.resolve(this.known.vision);
  }

  supportsTools(): Promise<boolean> {
    return Promise.resolve(this.known.tools);
  }

  stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const request = buildMessageRequest(call, {
      model: this.model,
      maxTokens: this.answerTokens,
      cacheControl: this.cacheControl,
    });
    return runStream<Anthropic.RawMessageStreamEvent>({
      signal: call.signal,
      describe: (fault, started) => describeAnthropicFault(this.endpoint.vendor, fault, started),
      open: async (signal) =>
        (await createAnthropicClient(this.endpoint)).messages.create(request, { signal }),
      read: readMessageEvents,
    });
  }
}
