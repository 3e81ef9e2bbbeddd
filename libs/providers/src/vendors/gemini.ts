import { notEmpty, oneOf } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { safetyThresholds } from "../gemini/content-request.ts";
import type { GeminiEndpoint } from "../gemini/gemini-endpoint.ts";
import { GeminiLanguageModel } from "../gemini/gemini-language-model.ts";
import { geminiEmbeddings } from "../gemini/embedding-protocol.ts";
import {
  knownGeminiModels,
  listGeminiEmbedders,
  listGeminiModels,
} from "../gemini/list-gemini-models.ts";
import { readOrigin } from "../http/read-origin.ts";
import { hostedLimits } from "../http/run-request.ts";
import { embeddingKey, embeddingModel, outputDimensions } from "./embedding-fields.ts";
import { createEmbedder } from "./embedding-vendor.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

const baseUrl = "https://generativelanguage.googleapis.com";

function endpoint(
  apiKey: string,
  { baseUrl: address = baseUrl, limits }: EndpointOptions,
): GeminiEndpoint {
  return {
    vendor: { name: "Gemini", origin: readOrigin(address), secrets: [apiKey] },
    baseUrl: address,
    apiKey,
    limits: { ...hostedLimits, ...limits },
  };
}

const identity = { id: "gemini", name: "Google Gemini", group: "hosted" } as const;

export const gemini: Vendor = {
  ...identity,
  phrase: "Gemini",
  dataPolicyUrl: "https://ai.google.dev/gemini-api/terms",
  keyUrl: "https://aistudio.google.com/apikey",
  language: {
    fields: [
      { key: "GeminiLLMApiKey", label: "key", kind: "secret", required: true },
      {
        key: "GeminiLLMModelPref",
        label: "model",
        kind: "model",
        required: true,
        default: "gemini-2.0-flash-lite",
        check: notEmpty,
      },
      {
        key: "GeminiSafetySetting",
        label: "safety",
        kind: "select",
        required: false,
        default: "BLOCK_MEDIUM_AND_ABOVE",
        options: safetyThresholds,
        advanced: true,
        check: oneOf(safetyThresholds, "setting.safety-setting-unknown"),
      },
    ],
    supports: { images: true, files: true, tools: true, output: true },
    create: (values, options) =>
      new GeminiLanguageModel(
        endpoint(values.get("GeminiLLMApiKey"), options),
        options.model?.trim() || values.get("GeminiLLMModelPref"),
        values.get("GeminiSafetySetting"),
        options.facts,
      ),
    listModels: (values, options, signal) => {
      const key = values.find("GeminiLLMApiKey");
      return key === undefined
        ? Promise.resolve(knownGeminiModels())
        : listGeminiModels(endpoint(key, options), signal);
    },
    warm: loadProviderFetch,
  },
  embedding: createEmbedder(
    { ...identity, name: "Gemini" },
    {
      baseUrl,
      protocol: geminiEmbeddings,
      fields: [
        embeddingKey("GeminiEmbeddingApiKey"),
        embeddingModel("gemini-embedding-001"),
        outputDimensions,
      ],
      longest: 2_048,
      batch: 4,
      dimensions: { "gemini-embedding-001": 3072 },
      list: ({ apiKey = "", ...endpoint }, signal) =>
        listGeminiEmbedders({ ...endpoint, apiKey }, signal),
    },
  ),
};
