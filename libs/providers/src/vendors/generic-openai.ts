import { loadProviderFetch } from "@carrel/egress";
import { readOrigin } from "../http/read-origin.ts";
import { localLimits } from "../http/run-request.ts";
import { ChatLanguageModel } from "../openai/chat-language-model.ts";
import { listVendorModels } from "../openai/model-listing.ts";
import type { OpenAiEndpoint } from "../openai/openai-client.ts";
import { audioAddress, audioModel, audioVoice } from "./audio-fields.ts";
import { keyField } from "./chat-fields.ts";
import { createSpeech, createTranscription } from "./audio-vendor.ts";
import {
  embeddingAddress,
  embeddingBatch,
  embeddingModel,
  embeddingPrefix,
  maxChunkLength,
  optionalEmbeddingKey,
  outputDimensions,
} from "./embedding-fields.ts";
import { createEmbedder } from "./embedding-vendor.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

const id = "generic-openai";
const identity = { id, name: "OpenAI compatible", group: "local" } as const;
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
  ...identity,
  phrase: "the OpenAI-compatible server",
  // The server behind the address may be a vendor's.
  isRelay: true,
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
        contextWindow: options.facts?.contextWindow ?? values.getNumber("GenericOpenAiTokenLimit"),
        maxTokens: values.getNumber("GenericOpenAiMaxTokens"),
        images: options.facts?.vision ?? null,
        tools: options.facts?.tools ?? null,
      }),
    listModels: (values, options, signal) =>
      listVendorModels(
        endpoint(values.get("GenericOpenAiBasePath"), values.find("GenericOpenAiKey"), options),
        {},
        signal,
      ),
    warm: loadProviderFetch,
  },
  embedding: createEmbedder(identity, {
    fields: [
      embeddingAddress(placeholder),
      embeddingModel(),
      maxChunkLength,
      optionalEmbeddingKey("GenericOpenAiEmbeddingApiKey"),
      embeddingBatch("GenericOpenAiEmbeddingMaxConcurrentChunks", "concurrent", 500),
      embeddingPrefix("passagePrefix", "GenericOpenAiEmbeddingPassagePrefix"),
      embeddingPrefix("queryPrefix", "GenericOpenAiEmbeddingQueryPrefix"),
      outputDimensions,
    ],
    list: {},
    isAnyServer: true,
  }),
  speech: createSpeech(identity, {
    fields: [
      audioAddress("TTSOpenAICompatibleEndpoint", placeholder),
      keyField("TTSOpenAICompatibleKey", { required: false }),
      audioModel("TTSOpenAICompatibleModel", "tts-1", { kind: "text", required: false }),
      audioVoice("TTSOpenAICompatibleVoiceModel", "alloy", { kind: "text" }),
    ],
  }),
  dictation: createTranscription(identity, {
    fields: [
      audioAddress("STTOpenAICompatibleEndpoint", placeholder),
      keyField("STTOpenAICompatibleKey", { required: false }),
      audioModel("STTOpenAICompatibleModel"),
    ],
    segments: false,
    list: {},
  }),
  transcription: createTranscription(identity, {
    fields: [
      audioAddress("WhisperGenericOpenAiBaseUrl", placeholder),
      keyField("WhisperGenericOpenAiApiKey", { required: false }),
      audioModel("WhisperGenericOpenAiModel"),
    ],
    segments: true,
    list: {},
  }),
};
