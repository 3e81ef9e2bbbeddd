import {
  describeField,
  findModelOverride,
  type ModelOverride,
  type ProviderDeclaration,
  type SettingField,
} from "@carrel/contracts";
import { CircuitBreaker } from "@carrel/egress";
import { findCatalogueModel } from "./catalogue/model-catalogue.ts";
import type { CallLimits } from "./http/run-request.ts";
import {
  observeEmbeddingModel,
  observeImageModel,
  observeLanguageModel,
  observeSpeechModel,
  observeTranscriptionModel,
} from "./observe-model.ts";
import { SettingValues, type Settings } from "./setting-values.ts";
import type { SpeechModel, TranscriptionModel } from "./spec/audio-model.ts";
import type { EmbeddingModel } from "./spec/embedding-model.ts";
import type { ImageModel } from "./spec/image-model.ts";
import type { LanguageModel, ListedModel } from "./spec/language-model.ts";
import { ProviderError, type ProviderErrorKind } from "./spec/provider-error.ts";
import { vendors } from "./vendors/index.ts";
import type {
  EmbeddingModelOptions,
  EndpointOptions,
  LanguageModelOptions,
  ListOptions,
  ModelFacts,
  TranscriptionModelOptions,
  Vendor,
} from "./vendors/vendor.ts";

/** Faults that aren't about the prompt, so another model may be able to answer it. */
const otherModelMayAnswer: ReadonlySet<ProviderErrorKind> = new Set([
  "authentication",
  "broken-stream",
  "rate-limit",
  "server",
  "unreachable",
]);

export const mayAskAnother = (fault: unknown): fault is ProviderError =>
  fault instanceof ProviderError && otherModelMayAnswer.has(fault.kind);

/** How long to avoid a model that failed while another one can answer. */
const retry = { firstMs: 10_000, longestMs: 120_000 };

const maxModels = 64;

/** Rejects calls of one model at once while it can't answer, with the error of its last call. */
export type ModelBreaker = Pick<CircuitBreaker<ProviderError>, "run">;

/** Remembers which models failed, per replica. */
export class ModelBreakers {
  private readonly breakers = new Map<string, ModelBreaker>();

  /** `version` is the version of the settings: a changed key deserves a new attempt. */
  find(model: { provider: string; model: string }, version: number): ModelBreaker {
    const key = JSON.stringify([model.provider, model.model, version]);
    const breaker = this.breakers.get(key) ?? new CircuitBreaker(mayAskAnother, retry);
    // A Map keeps insertion order, so its first entry is the least recently used.
    this.breakers.delete(key);
    this.breakers.set(key, breaker);
    if (this.breakers.size > maxModels) this.breakers.delete(this.breakers.keys().next().value!);
    return breaker;
  }
}

/** A model whose requests ask for at most this many tokens, and for that many by default. */
const limitOutput = (model: LanguageModel, limit: number): LanguageModel => ({
  provider: model.provider,
  model: model.model,
  get contextWindow() {
    return model.contextWindow;
  },
  answerTokens: limit,
  parameters: model.parameters,
  ...(model.prepare && { prepare: (signal: AbortSignal) => model.prepare!(signal) }),
  supportsImages: (signal) => model.supportsImages(signal),
  supportsTools: (signal) => model.supportsTools(signal),
  stream: (call) => model.stream({ ...call, maxTokens: Math.min(call.maxTokens ?? limit, limit) }),
});

type Kind = "language" | "embedding" | "speech" | "dictation" | "transcription";

const without = (
  what: "language-models" | "embeddings" | "speech" | "dictation" | "transcription" | "images",
  provider: string,
): ProviderError =>
  new ProviderError(
    { code: `provider.without-${what}`, params: { provider } },
    { kind: "invalid" },
  );

/** A vendor's id in `POST /system/custom-models` (wire-contract.md 2.2). */
const listIdOf = ({ id }: Vendor, kind: Kind): string => `${id}${listEndings[kind]}`;
const listEndings: Record<Kind, string> = {
  language: "",
  embedding: "-embedder",
  speech: "-tts",
  dictation: "-stt",
  // Carrel-specific: existing clients list no models here.
  transcription: "-transcription",
};

function declare(vendor: Vendor, kind: Kind): ProviderDeclaration[] {
  const capability = vendor[kind];
  if (capability === undefined) return [];
  const { id, group, keyUrl, dataPolicyUrl } = vendor;
  const isAudio = kind === "speech" || kind === "dictation" || kind === "transcription";
  const listId = listIdOf(vendor, kind);
  return [
    {
      id,
      name: (isAudio ? vendor[kind]?.name : undefined) ?? vendor.name,
      kind,
      group,
      ...(isAudio && vendor[kind]?.create === undefined && { inBrowser: true as const }),
      ...(keyUrl !== undefined && { keyUrl }),
      ...(dataPolicyUrl !== undefined && { dataPolicyUrl }),
      listsModels: capability.listModels !== undefined,
      ...(listId !== id && { listId }),
      fields: capability.fields.map(describeField),
    },
  ];
}

/** Settings forms of the language models, the default first. */
export const languageProviders = vendors.flatMap((vendor) => declare(vendor, "language"));
/** Settings forms of the embedders, the default first. */
export const embeddingProviders = vendors.flatMap((vendor) => declare(vendor, "embedding"));

/** Settings forms for reading aloud, the default first. */
export const speechProviders = vendors.flatMap((vendor) => declare(vendor, "speech"));
/** Settings forms for dictation, the default first. */
export const dictationProviders = vendors.flatMap((vendor) => declare(vendor, "dictation"));
/** Settings forms for transcription, the default first. */
export const transcriptionProviders = vendors.flatMap((vendor) => declare(vendor, "transcription"));

/** Every field of every form, with its validation. Vendors may share a key. */
export const providerFields: readonly SettingField[] = vendors.flatMap((vendor) => [
  ...(vendor.language?.fields ?? []),
  ...(vendor.embedding?.fields ?? []),
  ...(vendor.speech?.fields ?? []),
  ...(vendor.dictation?.fields ?? []),
  ...(vendor.transcription?.fields ?? []),
]);

const findVendor = (id: string): Vendor | undefined => vendors.find((vendor) => vendor.id === id);

const readSettings = (
  vendor: Vendor,
  fields: readonly SettingField[],
  settings: Settings,
): SettingValues => new SettingValues(vendor.phrase ?? vendor.name, fields, settings);

/** Throws ProviderError 'invalid' when a required setting is missing. */
export function createLanguageModel(
  id: string,
  settings: Settings,
  options: Omit<LanguageModelOptions, "facts"> & { overrides?: readonly ModelOverride[] } = {},
): LanguageModel {
  const vendor = findVendor(id);
  if (!vendor?.language?.create) throw without("language-models", id);
  const values = readSettings(vendor, vendor.language.fields, settings);
  const model = vendor.language.create(values, options);
  // Only the adapter knows which model the settings select.
  const facts = findModelOverride(options.overrides ?? [], id, model.model);
  if (facts === undefined) return observeLanguageModel(model);
  const overridden = vendor.language.create(values, { ...options, facts: pickFacts(facts) });
  if (facts.outputLimit === undefined) return observeLanguageModel(overridden);
  // The vendor refuses requests for more.
  const known = findCatalogueModel(id, model.model)?.outputLimit ?? Infinity;
  return observeLanguageModel(limitOutput(overridden, Math.min(facts.outputLimit, known)));
}

/** Omits prices and absent facts. */
const pickFacts = ({ contextWindow, vision, tools, reasoning }: ModelOverride): ModelFacts => ({
  ...(contextWindow !== undefined && { contextWindow }),
  ...(vision !== undefined && { vision }),
  ...(tools !== undefined && { tools }),
  ...(reasoning !== undefined && { reasoning }),
});

/** Throws ProviderError 'invalid' when a required setting is missing. */
export function createEmbeddingModel(
  id: string,
  settings: Settings,
  options: EmbeddingModelOptions,
): EmbeddingModel {
  const vendor = findVendor(id);
  if (!vendor?.embedding) throw without("embeddings", id);
  const values = readSettings(vendor, vendor.embedding.fields, settings);
  return observeEmbeddingModel(vendor.embedding.create(values, options));
}

/** Maximum characters of a text that the embedder accepts with these settings. */
export function longestEmbedderInput(id: string, settings: Settings): number {
  const vendor = findVendor(id);
  if (!vendor?.embedding) throw without("embeddings", id);
  return vendor.embedding.longestInput(readSettings(vendor, vendor.embedding.fields, settings));
}

/**
 * Throws ProviderError 'invalid' when a required setting is missing, and for providers that run in
 * the browser.
 */
export function createSpeechModel(
  id: string,
  settings: Settings,
  options: EndpointOptions = {},
): SpeechModel {
  const vendor = findVendor(id);
  if (!vendor?.speech?.create) throw without("speech", id);
  const values = readSettings(vendor, vendor.speech.fields, settings);
  return observeSpeechModel(vendor.speech.create(values, options));
}

/** Like `createSpeechModel`. */
export function createDictationModel(
  id: string,
  settings: Settings,
  options: EndpointOptions = {},
): TranscriptionModel {
  const vendor = findVendor(id);
  if (!vendor?.dictation?.create) throw without("dictation", id);
  const values = readSettings(vendor, vendor.dictation.fields, settings);
  return observeTranscriptionModel(vendor.dictation.create(values, options));
}

/** Throws ProviderError 'invalid' when a required setting is missing. */
export function createTranscriptionModel(
  id: string,
  settings: Settings,
  options: TranscriptionModelOptions,
): TranscriptionModel {
  const vendor = findVendor(id);
  if (!vendor?.transcription?.create) throw without("transcription", id);
  const { fields, create } = vendor.transcription;
  return observeTranscriptionModel(create(readSettings(vendor, fields, settings), options));
}

/** Throws ProviderError 'invalid' when a required setting is missing. */
export function createImageModel(
  id: string,
  settings: Settings,
  options: EndpointOptions = {},
): ImageModel {
  const vendor = findVendor(id);
  if (!vendor?.image) throw without("images", id);
  const values = readSettings(vendor, vendor.image.fields, settings);
  return observeImageModel(vendor.image.create(values, options));
}

/** Loads what the provider's first call needs, without calling the vendor. */
export async function warmLanguageProvider(id: string): Promise<void> {
  await findVendor(id)?.language?.warm?.();
}

/** How long a settings page waits for a list. */
const listLimits: Partial<CallLimits> = { connectMs: 3_000, firstByteMs: 10_000, idleMs: 10_000 };

/** A provider's model list, by its id in `POST /system/custom-models` (wire-contract.md 2.2). */
export interface ModelList {
  provider: ProviderDeclaration;
  /** Throws ProviderError. */
  fetch(
    settings: Settings,
    options?: ListOptions & { signal?: AbortSignal },
  ): Promise<ListedModel[]>;
}

function findCapabilityList(vendor: Vendor, kind: Kind, listId: string): ModelList | undefined {
  const capability = vendor[kind];
  if (!capability?.listModels || listIdOf(vendor, kind) !== listId) return undefined;
  return {
    provider: declare(vendor, kind)[0]!,
    fetch: async (settings, { signal = AbortSignal.timeout(15_000), ...options } = {}) =>
      capability.listModels!(
        readSettings(vendor, capability.fields, settings),
        { ...options, limits: { ...listLimits, ...options.limits } },
        signal,
      ),
  };
}

export function findModelList(listId: string): ModelList | undefined {
  for (const kind of Object.keys(listEndings) as Kind[])
    for (const vendor of vendors) {
      const list = findCapabilityList(vendor, kind, listId);
      if (list) return list;
    }
  return undefined;
}
