import {
  all,
  anything,
  notEmpty,
  optional,
  positiveNumber,
  webAddressWithoutSlash,
  wholeNumber,
  type SettingField,
} from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { readOrigin } from "../http/read-origin.ts";
import { localLimits } from "../http/run-request.ts";
import { listOllamaModels } from "../ollama/list-ollama-models.ts";
import type { OllamaEndpoint } from "../ollama/ollama-client.ts";
import { OllamaEmbeddingModel } from "../ollama/ollama-embedding-model.ts";
import { OllamaLanguageModel } from "../ollama/ollama-language-model.ts";
import type { SettingValues } from "../setting-values.ts";
import { nameVectorSpace } from "../vector-space.ts";
import { embeddingAddress, embeddingModel, maxChunkLength } from "./embedding-fields.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

const placeholder = "http://127.0.0.1:11434";
const authToken: SettingField = {
  key: "OllamaLLMAuthToken",
  label: "accessToken",
  kind: "secret",
  required: false,
  advanced: true,
};

function endpoint(
  values: SettingValues,
  addressKey: string,
  { limits }: EndpointOptions,
): OllamaEndpoint {
  const baseUrl = values.get(addressKey);
  const token = values.find("OllamaLLMAuthToken");
  return {
    vendor: { name: "Ollama", origin: readOrigin(baseUrl), secrets: token ? [token] : [] },
    baseUrl: baseUrl.replace(/\/+$/, ""),
    authToken: token,
    limits: { ...localLimits, ...limits },
  };
}

const defaultKeepAlive = 300;

export const ollama: Vendor = {
  id: "ollama",
  name: "Ollama",
  group: "local",
  language: {
    fields: [
      {
        key: "OllamaLLMBasePath",
        label: "address",
        kind: "url",
        required: true,
        placeholder,
        check: all(notEmpty, webAddressWithoutSlash),
      },
      {
        key: "OllamaLLMModelPref",
        label: "model",
        kind: "model",
        required: true,
        check: anything,
      },
      {
        key: "OllamaLLMTokenLimit",
        label: "contextWindow",
        kind: "number",
        required: false,
        default: 4096,
        min: 1,
      },
      {
        key: "OllamaLLMKeepAliveSeconds",
        label: "keepLoaded",
        kind: "select",
        required: false,
        default: String(defaultKeepAlive),
        options: ["0", "300", "3600", "-1"],
        advanced: true,
        check: optional(wholeNumber),
      },
      {
        key: "OllamaLLMPerformanceMode",
        label: "performance",
        kind: "select",
        required: false,
        default: "maximum",
        options: ["base", "maximum"],
        advanced: true,
      },
      authToken,
    ],
    supports: { images: true, files: false, tools: true, output: true },
    create(values, options) {
      const keepAlive = Number(values.get("OllamaLLMKeepAliveSeconds"));
      return new OllamaLanguageModel({
        ...endpoint(values, "OllamaLLMBasePath", options),
        model: options.model?.trim() || values.get("OllamaLLMModelPref"),
        setsContext: values.get("OllamaLLMPerformanceMode") !== "base",
        keepAliveSeconds: Number.isInteger(keepAlive) ? keepAlive : defaultKeepAlive,
        contextWindow: values.getNumber("OllamaLLMTokenLimit"),
      });
    },
    listModels: (values, options, signal) =>
      listOllamaModels(endpoint(values, "OllamaLLMBasePath", options), signal),
    warm: loadProviderFetch,
  },
  embedding: {
    fields: [
      { ...embeddingAddress, placeholder },
      embeddingModel,
      maxChunkLength,
      {
        key: "OllamaEmbeddingBatchSize",
        label: "batchSize",
        kind: "number",
        required: false,
        default: 1,
        min: 1,
        advanced: true,
        check: positiveNumber,
      },
      authToken,
    ],
    create(values, options) {
      const model = values.get("EmbeddingModelPref");
      return new OllamaEmbeddingModel({
        ...endpoint(values, "EmbeddingBasePath", options),
        model,
        // Ollama has no such setting, but stored names include one left over from another embedder.
        vectorSpace: nameVectorSpace(
          "ollama",
          model,
          values.getExact("EmbeddingOutputDimensions").trim(),
        ),
        maxInputCharacters: values.getNumber("EmbeddingModelMaxChunkLength"),
        batchSize: Math.floor(values.getNumber("OllamaEmbeddingBatchSize")),
      });
    },
    listModels: (values, options, signal) =>
      listOllamaModels(endpoint(values, "EmbeddingBasePath", options), signal),
  },
};
