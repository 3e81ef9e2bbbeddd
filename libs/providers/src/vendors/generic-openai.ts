import { positiveNumber } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { readOrigin } from "../http/read-origin.ts";
import { localLimits } from "../http/run-request.ts";
import { ChatLanguageModel } from "../openai/chat-language-model.ts";
import { listChatModels } from "../openai/model-listing.ts";
import type { OpenAiEndpoint } from "../openai/openai-client.ts";
import { OpenAiEmbeddingModel } from "../openai/openai-embedding-model.ts";
import { nameVectorSpace } from "../vector-space.ts";
import {
  embeddingAddress,
  embeddingModel,
  maxChunkLength,
  outputDimensions,
} from "./embedding-fields.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

const id = "generic-openai";
const placeholder = "http://127.0.0.1:8080/v1";

/** Any server that speaks OpenAI's protocol; the base path is used as given. */
function endpoint(
  baseUrl: string,
  apiKey: string | undefined,
  { limits }: EndpointOptions,
): OpenAiEndpoint {
  const origin = readOrigin(baseUrl);
  return {
    vendor: { name: new URL(baseUrl).host, origin, secrets: apiKey ? [apiKey] : [] },
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey,
    limits: { ...localLimits, ...limits },
  };
}

export const genericOpenAi: Vendor = {
  id,
  name: "OpenAI compatible",
  phrase: "the OpenAI-compatible server",
  group: "local",
  triedWith: "LiteLLM 1.108.7",
  language: {
    fields: [
      { key: "GenericOpenAiBasePath", label: "address", kind: "url", required: true, placeholder },
      { key: "GenericOpenAiKey", label: "key", kind: "secret", required: false },
      { key: "GenericOpenAiModelPref", label: "model", kind: "model", required: true },
      {
        key: "GenericOpenAiTokenLimit",
        label: "contextWindow",
        kind: "number",
        required: true,
        default: 4096,
        min: 1,
      },
      {
        key: "GenericOpenAiMaxTokens",
        label: "longestAnswer",
        kind: "number",
        required: true,
        default: 1024,
        min: 1,
      },
    ],
    supports: { images: true, files: true, tools: true, output: true },
    create: (values, options) =>
      new ChatLanguageModel({
        ...endpoint(values.get("GenericOpenAiBasePath"), values.find("GenericOpenAiKey"), options),
        provider: id,
        model: options.model?.trim() || values.get("GenericOpenAiModelPref"),
        contextWindow: values.getNumber("GenericOpenAiTokenLimit"),
        maxTokens: values.getNumber("GenericOpenAiMaxTokens"),
      }),
    listModels: (values, options, signal) =>
      listChatModels(
        endpoint(values.get("GenericOpenAiBasePath"), values.find("GenericOpenAiKey"), options),
        {},
        signal,
      ),
    warm: loadProviderFetch,
  },
  embedding: {
    fields: [
      { ...embeddingAddress, placeholder },
      { ...embeddingModel, kind: "text" },
      maxChunkLength,
      { key: "GenericOpenAiEmbeddingApiKey", label: "key", kind: "secret", required: false },
      {
        key: "GenericOpenAiEmbeddingMaxConcurrentChunks",
        label: "concurrent",
        kind: "number",
        required: false,
        default: 500,
        min: 1,
        advanced: true,
        check: positiveNumber,
      },
      {
        key: "GenericOpenAiEmbeddingPassagePrefix",
        label: "passagePrefix",
        kind: "text",
        required: false,
        default: "",
        advanced: true,
      },
      {
        key: "GenericOpenAiEmbeddingQueryPrefix",
        label: "queryPrefix",
        kind: "text",
        required: false,
        default: "",
        advanced: true,
      },
      outputDimensions,
    ],
    create(values, options) {
      const model = values.get("EmbeddingModelPref");
      const passagePrefix = values.getExact("GenericOpenAiEmbeddingPassagePrefix");
      const queryPrefix = values.getExact("GenericOpenAiEmbeddingQueryPrefix");
      const dimensions = values.findNumber("EmbeddingOutputDimensions");
      return new OpenAiEmbeddingModel({
        ...endpoint(
          values.get("EmbeddingBasePath"),
          values.find("GenericOpenAiEmbeddingApiKey"),
          options,
        ),
        provider: id,
        model,
        vectorSpace: nameVectorSpace(
          id,
          model,
          values.find("EmbeddingOutputDimensions"),
          `${passagePrefix}\n${queryPrefix}`.trim(),
        ),
        maxInputCharacters: values.getNumber("EmbeddingModelMaxChunkLength"),
        batchSize: Math.floor(values.getNumber("GenericOpenAiEmbeddingMaxConcurrentChunks")),
        passagePrefix,
        queryPrefix,
        ...(dimensions !== undefined && { outputDimensions: dimensions }),
      });
    },
  },
};
