import { positiveNumber } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { findModelOfAnyVendor } from "../catalogue/model-catalogue.ts";
import { readOrigin } from "../http/read-origin.ts";
import { localLimits } from "../http/run-request.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { compareNaturally } from "../spec/natural-order.ts";
import { audioAddress, audioModel, audioVoice } from "../vendors/audio-fields.ts";
import { createSpeech, createTranscription } from "../vendors/audio-vendor.ts";
import { keyField } from "../vendors/chat-fields.ts";
import {
  embeddingAddress,
  embeddingBatch,
  embeddingModel,
  embeddingPrefix,
  maxChunkLength,
  optionalEmbeddingKey,
  outputDimensions,
} from "../vendors/embedding-fields.ts";
import { createEmbedder } from "../vendors/embedding-vendor.ts";
import type { EndpointOptions, Vendor } from "../vendors/vendor.ts";
import { ChatLanguageModel } from "./chat-language-model.ts";
import { describeModel, fetchEntries, listVendorModels, type ModelEntry } from "./model-listing.ts";
import type { OpenAiEndpoint } from "./openai-client.ts";
import { findServerWindows } from "./server-windows.ts";

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

/** Tokens, for a model whose window neither the server nor the catalogue knows. */
const unknownWindow = 8_192;

/** Some servers have no list of models but report the window elsewhere. */
async function askWindow(
  server: OpenAiEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(listMs)]);
  const entries = await fetchEntries(server, {}, limited).catch((): ModelEntry[] => []);
  return (await findServerWindows(server, model, entries, signal))(model);
}
const listMs = 3_000;

/** The models, with the limits that an empty field stands for. */
async function listWithLimits(
  server: OpenAiEndpoint,
  model: string | undefined,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const entries = await fetchEntries(server, {}, signal);
  const windowOf = await findServerWindows(server, model, entries, signal);
  return entries
    .map((entry): ListedModel => {
      const listed = describeModel(entry, server.vendor.name, {});
      const own = windowOf(entry.id);
      const window = own ?? listed.contextWindow;
      if (window === undefined) return listed;
      const windowSource = own === undefined ? "catalogue" : "server";
      return { ...listed, contextWindow: window, windowSource };
    })
    .sort((a, b) => compareNaturally(a.id, b.id));
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
        required: false,
        empty: { uses: "server", otherwise: unknownWindow },
        clientDefault: 4096,
        min: 1,
        check: positiveNumber,
      },
      {
        key: "GenericOpenAiMaxTokens",
        label: "longestAnswer",
        kind: "number",
        required: false,
        empty: { uses: "server" },
        clientDefault: 1024,
        min: 1,
        check: positiveNumber,
      },
    ],
    supports: { images: true, files: true, tools: true, output: true },
    create(values, options) {
      const server = endpoint(
        values.get("GenericOpenAiBasePath"),
        values.find("GenericOpenAiKey"),
        options,
      );
      const model = options.model?.trim() || values.get("GenericOpenAiModelPref");
      const set = options.facts?.contextWindow ?? values.findNumber("GenericOpenAiTokenLimit");
      return new ChatLanguageModel({
        ...server,
        provider: id,
        model,
        contextWindow: set ?? findModelOfAnyVendor(model)?.contextWindow ?? unknownWindow,
        findWindow: set === undefined ? (signal) => askWindow(server, model, signal) : undefined,
        maxTokens: values.findNumber("GenericOpenAiMaxTokens"),
        images: options.facts?.vision ?? null,
        tools: options.facts?.tools ?? null,
        reasoning: options.facts?.reasoning ?? findModelOfAnyVendor(model)?.reasoning,
      });
    },
    listModels(values, options, signal) {
      const server = endpoint(
        values.get("GenericOpenAiBasePath"),
        values.find("GenericOpenAiKey"),
        options,
      );
      if (options.asksLimits !== true) return listVendorModels(server, {}, signal);
      return listWithLimits(server, values.find("GenericOpenAiModelPref"), signal);
    },
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
