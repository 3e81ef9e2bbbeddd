import { loadProviderFetch } from "@carrel/egress";
import { all, notEmpty, oneOf, startsWith, type SettingField } from "@carrel/contracts";
import { hostedLimits } from "../http/run-request.ts";
import { listOpenAiModels } from "../openai/list-openai-models.ts";
import type { OpenAiEndpoint } from "../openai/openai-client.ts";
import { OpenAiImageModel } from "../openai/openai-image-model.ts";
import { openAiVoices } from "../openai/openai-speech-model.ts";
import { ResponsesLanguageModel } from "../openai/responses-language-model.ts";
import { readOrigin } from "../http/read-origin.ts";
import { audioModel, audioVoice } from "./audio-fields.ts";
import { keyField } from "./chat-fields.ts";
import { createSpeech, createTranscription } from "./audio-vendor.ts";
import { embeddingModel, outputDimensions } from "./embedding-fields.ts";
import { createEmbedder } from "./embedding-vendor.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

const address = "https://api.openai.com/v1";

const apiKey: SettingField = {
  key: "OpenAiKey",
  label: "key",
  kind: "secret",
  required: true,
  placeholder: "sk-…",
  check: all(notEmpty, startsWith("sk-", "OpenAI")),
};

const imageKey: SettingField = { ...apiKey, key: "ImageGenerationOpenAiKey" };

function endpoint(
  key: string | undefined,
  { baseUrl = address, limits }: EndpointOptions,
): OpenAiEndpoint {
  return {
    vendor: { name: "OpenAI", origin: readOrigin(baseUrl), secrets: key ? [key] : [] },
    baseUrl,
    apiKey: key,
    limits: { ...hostedLimits, ...limits },
  };
}

const identity = { id: "openai", name: "OpenAI", group: "hosted" } as const;
const embeddingLengths = {
  "text-embedding-ada-002": 1536,
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
};

export const openAi: Vendor = {
  ...identity,
  dataPolicyUrl: "https://platform.openai.com/docs/guides/your-data",
  keyUrl: "https://platform.openai.com/api-keys",
  language: {
    fields: [
      apiKey,
      {
        key: "OpenAiModelPref",
        label: "model",
        kind: "model",
        required: true,
        default: "gpt-4.1-nano",
      },
    ],
    supports: { images: true, files: true, tools: true, output: true },
    create: (values, options) =>
      new ResponsesLanguageModel(
        endpoint(values.get("OpenAiKey"), options),
        options.model?.trim() || values.get("OpenAiModelPref"),
        options.facts,
      ),
    listModels: (values, options, signal) =>
      listOpenAiModels(endpoint(values.find("OpenAiKey"), options), signal),
    warm: loadProviderFetch,
  },
  embedding: createEmbedder(identity, {
    baseUrl: address,
    fields: [
      { ...apiKey, role: "key" },
      embeddingModel("text-embedding-ada-002"),
      outputDimensions,
    ],
    longest: 8_191,
    batch: 500,
    batchTokens: 300_000,
    dimensions: embeddingLengths,
    list: {
      keep: ({ id }) => id.includes("embedding"),
      describe: () => ({ organization: "OpenAI" }),
      fallback: Object.keys(embeddingLengths),
    },
  }),
  speech: createSpeech(identity, {
    baseUrl: address,
    fields: [
      keyField("TTSOpenAIKey", { placeholder: "sk-…", check: apiKey.check! }),
      audioVoice("TTSOpenAIVoiceModel", openAiVoices[0]!, {
        kind: "select",
        required: false,
        options: openAiVoices,
        check: oneOf(openAiVoices),
      }),
    ],
    model: "tts-1",
  }),
  dictation: createTranscription(identity, {
    baseUrl: address,
    fields: [{ ...apiKey, role: "key" }, audioModel("STTOpenAIModel", "whisper-1")],
    segments: false,
    list: {
      keep: ({ id }) => /whisper|transcribe/.test(id),
      fallback: ["gpt-4o-mini-transcribe", "gpt-4o-transcribe", "whisper-1"],
    },
  }),
  transcription: createTranscription(identity, {
    baseUrl: address,
    fields: [{ ...apiKey, role: "key" }],
    // The only model that returns segments with their times.
    model: "whisper-1",
    segments: true,
  }),
  image: {
    fields: [
      imageKey,
      {
        key: "ImageGenerationModelPref",
        label: "model",
        kind: "text",
        required: false,
        default: "gpt-image-1",
      },
    ],
    create: (values, options) =>
      new OpenAiImageModel(
        endpoint(values.get("ImageGenerationOpenAiKey"), options),
        values.get("ImageGenerationModelPref"),
      ),
  },
};
