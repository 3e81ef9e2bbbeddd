import type { ProviderDeclaration, SettingField } from "@carrel/contracts";
import type { CatalogueModel } from "../catalogue/model-catalogue.ts";
import type { LocalModels } from "../gguf/local-models.ts";
import type { CallLimits } from "../http/run-request.ts";
import type { SettingValues } from "../setting-values.ts";
import type { SpeechModel, TranscriptionModel } from "../spec/audio-model.ts";
import type { EmbeddingModel } from "../spec/embedding-model.ts";
import type { ImageModel } from "../spec/image-model.ts";
import type { LanguageModel, ListedModel } from "../spec/language-model.ts";

export interface EndpointOptions {
  /** Overrides a hosted vendor's address (tests, a company proxy). */
  baseUrl?: string;
  limits?: Partial<CallLimits>;
  /** Missing: language models don't run on this instance. */
  local?: LocalModels | undefined;
}

export interface ListOptions extends EndpointOptions {
  /** Also requests limits that the list itself lacks, which takes more calls. */
  asksLimits?: boolean;
}

/** Admin overrides for a model, replacing what the catalogue and the vendor say. */
export type ModelFacts = Partial<
  Pick<CatalogueModel, "contextWindow" | "vision" | "tools" | "reasoning">
>;

export interface LanguageModelOptions extends EndpointOptions {
  facts?: ModelFacts;
  /** The workspace's choice; if null or omitted, the model from the settings. */
  model?: string | null;
}

/** For models that run in this process. */
interface NativeOptions extends EndpointOptions {
  /** The models folder. */
  modelsDir: string;
  /** Where to download them from; null disables downloads. Default: Hugging Face. */
  hub?: string | null;
}
export type EmbeddingModelOptions = NativeOptions;
export type TranscriptionModelOptions = NativeOptions;

/** One vendor's offering for one purpose: a form, a model, and usually a list of models. */
interface Capability {
  readonly fields: readonly SettingField[];
  listModels?(
    values: SettingValues,
    options: ListOptions,
    signal: AbortSignal,
  ): Promise<ListedModel[]>;
}

/** What the adapter can send and receive; some of the vendor's models can do less. */
interface LanguageSupport {
  readonly images: boolean;
  /** Documents that the model reads itself, such as PDF. */
  readonly files: boolean;
  readonly tools: boolean;
  /** Answers in JSON of a given schema. */
  readonly output: boolean;
}

export interface LanguageCapability extends Capability {
  /** Omitted only by the vendor without a model. */
  readonly supports?: LanguageSupport;
  /** Omitted only by the vendor without a model (`quotingProvider` in @carrel/contracts). */
  create?(values: SettingValues, options: LanguageModelOptions): LanguageModel;
  /** Loads what the first call needs (up to 0.7 s), without calling the vendor. */
  warm?(): Promise<unknown>;
}

export interface EmbeddingCapability extends Capability {
  /** Maximum characters of a text. */
  longestInput(values: SettingValues): number;
  /** Like `Vendor.triedWith`, for its embedders. */
  readonly triedWith?: string;
  create(values: SettingValues, options: EmbeddingModelOptions): EmbeddingModel;
}

/** Speech in either direction. */
export interface AudioCapability<Model, Options = EndpointOptions> extends Capability {
  /** Set if the vendor has another name for this purpose. */
  readonly name?: string;
  /** Omitted if each person's browser does the work. */
  create?(values: SettingValues, options: Options): Model;
}

/** A form and a model, for purposes without a list of models. */
interface MediaCapability<Model> {
  readonly fields: readonly SettingField[];
  create(values: SettingValues, options: EndpointOptions): Model;
}

/**
 * Everything Carrel knows about one vendor. Forms, validation, model lists, warm-up and docs are
 * derived from it; `create` throws ProviderError 'invalid' when a required setting is missing.
 */
export interface Vendor {
  readonly id: string;
  readonly name: string;
  /** The name within a sentence, if it reads better than `name`. */
  readonly phrase?: string;
  readonly group: ProviderDeclaration["group"];
  /** A local server that passes requests on to others, who may charge for them. */
  readonly isRelay?: boolean;
  /** How a hosted vendor handles the data it receives. */
  readonly dataPolicyUrl?: string;
  /** The page where the vendor issues keys. */
  readonly keyUrl?: string;
  /** The real server, with its version, that Carrel was tried with; tests use fakes. */
  readonly triedWith?: string;
  readonly language?: LanguageCapability;
  readonly embedding?: EmbeddingCapability;
  readonly speech?: AudioCapability<SpeechModel>;
  /** Short microphone recordings; only the text matters. */
  readonly dictation?: AudioCapability<TranscriptionModel>;
  readonly transcription?: AudioCapability<TranscriptionModel, TranscriptionModelOptions>;
  readonly image?: MediaCapability<ImageModel>;
}
