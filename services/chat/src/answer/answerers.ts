import { Injectable } from "@nestjs/common";
import type { WorkspaceWire } from "@carrel/contracts";
import { AttachmentImages } from "../attachment/attachment-images.ts";
import { LanguageModels } from "../model/language-models.ts";
import { TokenFactors } from "../model/token-factors.ts";
import { PromptFitter } from "../prompt/prompt-fitter.ts";
import { EarlierSources } from "../retrieval/earlier-sources.ts";
import type { InstanceSettings } from "../setting/settings-cache.ts";
import type { Answerer } from "./answerer.ts";
import { ModelAnswerer } from "./model-answerer.ts";
import { QuoteAnswerer } from "./quote-answerer.ts";
import { QuoteFinder } from "./quote-finder.ts";

/** Selects the answerer. */
@Injectable()
export class Answerers {
  private readonly quoteAnswerer: QuoteAnswerer;

  constructor(
    private readonly models: LanguageModels,
    private readonly factors: TokenFactors,
    private readonly fitter: PromptFitter,
    private readonly images: AttachmentImages,
    private readonly earlierSources: EarlierSources,
    quotes: QuoteFinder,
  ) {
    this.quoteAnswerer = new QuoteAnswerer(quotes);
  }

  /**
   * Returns the model configured for the workspace or the instance, otherwise the built-in
   * answerer. Throws the provider's error if its settings are incomplete.
   */
  choose(workspace: WorkspaceWire, instance: InstanceSettings): Answerer {
    const { provider, model } = this.models.choose(workspace, instance);
    if (model === null) return this.quoteAnswerer;
    return new ModelAnswerer(
      provider,
      model,
      this.factors,
      this.fitter,
      this.images,
      this.earlierSources,
    );
  }
}
