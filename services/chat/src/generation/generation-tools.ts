import { Injectable } from "@nestjs/common";
import { RequestClient } from "@carrel/messaging";
import { InspectionKeeper } from "../inspection/inspection-keeper.ts";
import { MemoryKeeper } from "../memory/memory-keeper.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { AttachmentImages } from "../attachment/attachment-images.ts";
import { EarlierSources } from "../retrieval/earlier-sources.ts";
import { GenerationRepository } from "./generation.repository.ts";
import { LanguageModels } from "../model/language-models.ts";
import { PromptFitter } from "../prompt/prompt-fitter.ts";
import { QuoteFinder } from "../answer/quote-finder.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { TokenFactors } from "../model/token-factors.ts";

/** What a run needs on its way from question to text. */
@Injectable()
export class GenerationTools {
  readonly settings: SettingsCache;
  readonly models: LanguageModels;
  readonly repository: GenerationRepository;
  readonly requests: RequestClient;
  readonly fitter: PromptFitter;
  readonly factors: TokenFactors;
  readonly quotes: QuoteFinder;
  readonly images: AttachmentImages;
  readonly earlier: EarlierSources;
  readonly inspections: InspectionKeeper;
  readonly memories: MemoryRepository;
  readonly memoryKeeper: MemoryKeeper;

  constructor(
    settings: SettingsCache,
    models: LanguageModels,
    repository: GenerationRepository,
    requests: RequestClient,
    fitter: PromptFitter,
    factors: TokenFactors,
    quotes: QuoteFinder,
    images: AttachmentImages,
    earlier: EarlierSources,
    inspections: InspectionKeeper,
    memories: MemoryRepository,
    memoryKeeper: MemoryKeeper,
  ) {
    this.settings = settings;
    this.models = models;
    this.repository = repository;
    this.requests = requests;
    this.fitter = fitter;
    this.factors = factors;
    this.quotes = quotes;
    this.images = images;
    this.earlier = earlier;
    this.inspections = inspections;
    this.memories = memories;
    this.memoryKeeper = memoryKeeper;
  }
}
