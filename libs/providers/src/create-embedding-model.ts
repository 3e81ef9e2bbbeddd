import {
  compatibleEndpoint,
  ollamaEndpoint,
  openAiEndpoint,
  type EndpointOptions,
} from "./create-language-model.ts";
import { findNativeModel } from "./native/native-models.ts";
import { NativeEmbeddingModel } from "./native/native-embedding-model.ts";
import { OllamaEmbeddingModel } from "./ollama/ollama-embedding-model.ts";
import { OpenAiEmbeddingModel } from "./openai/openai-embedding-model.ts";
import { numberOf, textOf, type Settings } from "./settings.ts";
import type { EmbeddingModel } from "./spec/embedding-model.ts";
import { ProviderError } from "./spec/provider-error.ts";

export interface EmbeddingModelOptions extends EndpointOptions {
  /** Where the native embedder's models lie or are downloaded to. */
  modelsDir: string;
  /** Where the native embedder's models are downloaded from; null: never. Default Hugging Face. */
  hub?: string | null;
}

const missing = (what: string): ProviderError => new ProviderError(what, { kind: "invalid" });

/**
 * The embedder that the settings name. Throws ProviderError 'invalid' when a setting it cannot do
 * without is missing.
 */
export function createEmbeddingModel(
  id: string,
  settings: Settings,
  o: EmbeddingModelOptions,
): EmbeddingModel {
  const model = textOf(settings, "EmbeddingModelPref");
  const baseUrl = textOf(settings, "EmbeddingBasePath");
  const maxInputCharacters = numberOf(settings, "EmbeddingModelMaxChunkLength", 1_000);
  const dimensions = numberOf(settings, "EmbeddingOutputDimensions", 0);
  const outputDimensions = dimensions > 0 ? { outputDimensions: dimensions } : {};
  switch (id) {
    case "native": {
      // A model name left over from another engine means the usual one.
      const native = findNativeModel(model) ?? findNativeModel(undefined)!;
      return new NativeEmbeddingModel(native, o.modelsDir, o.hub);
    }
    case "openai": {
      const endpoint = openAiEndpoint(settings, o);
      if (endpoint.apiKey === undefined)
        throw missing("There is no key for OpenAI yet. Set one in the settings.");
      return new OpenAiEmbeddingModel({
        ...endpoint,
        provider: id,
        model: model ?? "text-embedding-ada-002",
        maxInputCharacters: 8_191,
        batchSize: 500,
        ...outputDimensions,
      });
    }
    case "generic-openai": {
      if (!baseUrl || !model)
        throw missing(
          "The OpenAI compatible embedder needs an address and a model. Set them in the settings.",
        );
      return new OpenAiEmbeddingModel({
        ...compatibleEndpoint(baseUrl, textOf(settings, "GenericOpenAiEmbeddingApiKey"), o),
        provider: id,
        model,
        maxInputCharacters,
        batchSize: Math.floor(numberOf(settings, "GenericOpenAiEmbeddingMaxConcurrentChunks", 500)),
        passagePrefix: settings.GenericOpenAiEmbeddingPassagePrefix ?? "",
        queryPrefix: settings.GenericOpenAiEmbeddingQueryPrefix ?? "",
        ...outputDimensions,
      });
    }
    case "ollama": {
      if (!baseUrl || !model)
        throw missing(
          "The Ollama embedder needs an address and a model. Set them in the settings.",
        );
      return new OllamaEmbeddingModel({
        ...ollamaEndpoint(baseUrl, settings, o),
        model,
        maxInputCharacters,
        batchSize: Math.floor(numberOf(settings, "OllamaEmbeddingBatchSize", 1)),
      });
    }
    default:
      throw missing(`${id} is not a provider that embeds.`);
  }
}
