import {
  CarrelError,
  quotingProvider,
  type FallbackModel,
  type WorkspaceWire,
} from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { LanguageModels, chooseProvider, modelLabel } from "../model/language-models.ts";
import { TokenFactors } from "../model/token-factors.ts";
import { PromptFitter } from "../prompt/prompt-fitter.ts";
import type { InstanceSettings } from "../setting/settings-cache.ts";
import { AnswerMaterials } from "./answer-materials.ts";
import type { Answerer } from "./answerer.ts";
import { FallbackAnswerers, type Failure } from "./fallback-answerer.ts";
import { ModelAnswerer } from "./model-answerer.ts";
import { QuoteAnswerer } from "./quote-answerer.ts";
import { QuoteFinder } from "./quote-finder.ts";

type BuildAnswerer = (...model: ConstructorParameters<typeof ModelAnswerer>) => ModelAnswerer;

/** Selects the answerer. */
@Injectable()
export class Answerers {
  private readonly quoteAnswerer: QuoteAnswerer;

  constructor(
    private readonly models: LanguageModels,
    private readonly factors: TokenFactors,
    private readonly fitter: PromptFitter,
    private readonly materials: AnswerMaterials,
    private readonly fallbacks: FallbackAnswerers,
    quotes: QuoteFinder,
  ) {
    this.quoteAnswerer = new QuoteAnswerer(quotes);
  }

  /**
   * Returns the model configured for the workspace or the instance, otherwise the built-in
   * answerer; with `fallbacks` behind it, which are asked if it can't answer. Throws the provider's
   * error if the settings of all are incomplete.
   *
   * @param build builds the answerer of a model
   */
  choose(
    workspace: WorkspaceWire,
    instance: InstanceSettings,
    fallbacks: readonly FallbackModel[],
    build: BuildAnswerer = (...model) => new ModelAnswerer(...model),
  ): Answerer {
    const chosen = chooseProvider(workspace, instance.values);
    if (chosen.provider === quotingProvider || fallbacks.length === 0)
      return this.create(workspace, instance, build) ?? this.quoteAnswerer;
    const candidates: { label: string; answerer: Answerer }[] = [];
    let failure: Failure | null = null;
    for (const choice of [chosen, ...fallbacks])
      try {
        const own = { ...workspace, chatProvider: choice.provider, chatModel: choice.model };
        const answerer = this.create(own, instance, build) ?? this.quoteAnswerer;
        const { provider, model } = answerer;
        if (candidates.some((each) => isSame(each.answerer, answerer))) continue;
        candidates.push({
          label: provider === quotingProvider ? modelLabel({ provider, model: null }) : model,
          answerer,
        });
      } catch (error) {
        if (!(error instanceof ProviderError || error instanceof CarrelError)) throw error;
        if (candidates.length === 0) failure ??= { label: modelLabel(choice), error };
      }
    if (candidates.length === 0) throw failure!.error;
    return this.fallbacks.create(candidates, failure, instance.version);
  }

  /** Has the model ask its server for limits that nobody set, for callers that plan with them. */
  prepare(workspace: WorkspaceWire, instance: InstanceSettings): Promise<void> {
    return this.models.prepare(workspace, instance);
  }

  /**
   * Returns null if answers are written without a model. Throws the provider's error if its
   * settings are incomplete.
   */
  private create(
    workspace: WorkspaceWire,
    instance: InstanceSettings,
    build: BuildAnswerer,
  ): ModelAnswerer | null {
    const { provider, model } = this.models.choose(workspace, instance);
    if (model === null) return null;
    return build(provider, model, this.factors, this.fitter, this.materials);
  }
}

const isSame = (one: Answerer, other: Answerer): boolean =>
  one.provider === other.provider && one.model === other.model;
