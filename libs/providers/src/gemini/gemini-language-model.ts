import { findCatalogueModel, type CatalogueModel } from "../catalogue/model-catalogue.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import { runStream } from "../http/run-stream.ts";
import { TextEvents } from "../http/split-stream.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { buildContentRequest } from "./content-request.ts";
import { geminiHeaders, refuseGeminiReply, type GeminiEndpoint } from "./gemini-endpoint.ts";
import { GeminiReader } from "./read-contents.ts";

/** What every Gemini model since 2.0 can do, for ids the catalogue doesn't know yet. */
const newestModel: Pick<CatalogueModel, "contextWindow" | "vision" | "tools"> = {
  contextWindow: 1_048_576,
  vision: true,
  tools: true,
};

/** Gemini's own API: unlike its OpenAI-compatible route, it has thoughts and safety settings. */
export class GeminiLanguageModel implements LanguageModel {
  readonly provider = "gemini";
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens = null;
  private readonly known: typeof newestModel;
  constructor(
    private readonly endpoint: GeminiEndpoint,
    model: string,
    private readonly safety: string,
    private readonly facts: ModelFacts = {},
  ) {
    this.model = model.replace(/^models\//, "");
    this.known = { ...(findCatalogueModel("gemini", this.model) ?? newestModel), ...facts };
    this.contextWindow = this.known.contextWindow;
  }

  get parameters(): ModelParameters {
    return { temperature: true, topP: true, effort: this.thinks };
  }

  /** Older models reject the setting. */
  private get thinks(): boolean {
    return this.facts.reasoning ?? /^gemini-(?:2\.5|[3-9])/.test(this.model);
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
      url: `${baseUrl}/v1beta/models/${encodeURIComponent(this.model)}:streamGenerateContent?alt=sse`,
      limits,
      headers: geminiHeaders(this.endpoint),
      request: () => {
        const isSinceThree = /^gemini-[3-9]/.test(this.model);
        return buildContentRequest(call, {
          safety: this.safety,
          thinks: this.thinks,
          takesLevel: isSinceThree,
          needsSignatures: isSinceThree,
        });
      },
      splitter: new TextEvents(),
      reader: new GeminiReader(vendor),
      refuse: (reply, text) => refuseGeminiReply(vendor, reply, text),
    });
  }
}
