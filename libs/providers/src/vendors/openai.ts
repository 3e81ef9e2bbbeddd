import { loadProviderFetch } from "@carrel/egress";
import { all, notEmpty, startsWith, type SettingField } from "@carrel/contracts";
import { hostedLimits } from "../http/run-request.ts";
import { listOpenAiModels } from "../openai/list-openai-models.ts";
import type { OpenAiEndpoint } from "../openai/openai-client.ts";
import { OpenAiImageModel } from "../openai/openai-image-model.ts";
import { OpenAiSpeechModel, openAiVoices } from "../openai/openai-speech-model.ts";
import { OpenAiTranscriptionModel } from "../openai/openai-transcription-model.ts";
import { OpenAiEmbeddingModel } from "../openai/openai-embedding-model.ts";
import { ResponsesLanguageModel } from "../openai/responses-language-model.ts";
import { nameVectorSpace } from "../vector-space.ts";
import { readOrigin } from "../http/read-origin.ts";
import { embeddingModel, outputDimensions } from "./embedding-fields.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

const apiKey: SettingField = {
  key: "OpenAiKey",
  label: "key",
  kind: "secret",
  required: true,
  placeholder: "sk-…",
  check: all(notEmpty, startsWith("sk-", "OpenAI")),
};

const speechKey: SettingField = { ...apiKey, key: "TTSOpenAIKey" };
const imageKey: SettingField = { ...apiKey, key: "ImageGenerationOpenAiKey" };

function endpoint(
  key: string | undefined,
  { baseUrl = "https://api.openai.com/v1", limits }: EndpointOptions,
): OpenAiEndpoint {
  return {
    vendor: { name: "OpenAI", origin: readOrigin(baseUrl), secrets: key ? [key] : [] },
    baseUrl,
    apiKey: key,
    limits: { ...hostedLimits, ...limits },
  };
}

export const openAi: Vendor = {
  id: "openai",
  name: "OpenAI",
  group: "hosted",
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
      ),
    listModels: (values, options, signal) =>
      listOpenAiModels(endpoint(values.find("OpenAiKey"), options), signal),
    warm: loadProviderFetch,
  },
  embedding: {
    fields: [
      apiKey,
      {
        ...embeddingModel,
        kind: "select",
        default: "text-embedding-ada-002",
        options: ["text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large"],
      },
      outputDimensions,
    ],
    create(values, options) {
      const model = values.get("EmbeddingModelPref");
      const dimensions = values.findNumber("EmbeddingOutputDimensions");
      return new OpenAiEmbeddingModel({
        ...endpoint(values.get("OpenAiKey"), options),
        provider: "openai",
        model,
        vectorSpace: nameVectorSpace("openai", model, values.find("EmbeddingOutputDimensions")),
        maxInputCharacters: 8_191,
        batchSize: 500,
        ...(dimensions !== undefined && { outputDimensions: dimensions }),
      });
    },
  },
  speech: {
    fields: [
      speechKey,
      {
        key: "TTSOpenAIVoiceModel",
        label: "voice",
        kind: "select",
        required: false,
        default: openAiVoices[0]!,
        options: openAiVoices,
      },
    ],
    create: (values, options) =>
      new OpenAiSpeechModel(
        endpoint(values.get("TTSOpenAIKey"), options),
        values.get("TTSOpenAIVoiceModel"),
      ),
  },
  transcription: {
    fields: [apiKey],
    create: (values, options) =>
      new OpenAiTranscriptionModel(endpoint(values.get("OpenAiKey"), options)),
  },
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
