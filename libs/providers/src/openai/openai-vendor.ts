import { all, notEmpty, oneOf, startsWith, type SettingField } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import { listOrKnown } from "../catalogue/model-catalogue.ts";
import { hostedLimits, withOneRetry } from "../http/run-request.ts";
import { readOrigin } from "../setting-values.ts";
import type { GeneratedImage, ImageCall, ImageModel } from "../spec/image-model.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import {
  audioModel,
  audioVoice,
  createSpeech,
  createTranscription,
} from "../vendors/audio-vendor.ts";
import { keyField } from "../vendors/chat-vendor.ts";
import { createEmbedder, embeddingModel, outputDimensions } from "../vendors/embedding-vendor.ts";
import type { EndpointOptions, Vendor } from "../vendors/vendor.ts";
import { compareNaturally } from "./model-listing.ts";
import { openAiVoices } from "./openai-audio-models.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";
import { ResponsesLanguageModel, findOpenAiModel } from "./responses-language-model.ts";

class OpenAiImageModel implements ImageModel {
  readonly provider = "openai";
  readonly sizes = ["1024x1024", "1536x1024", "1024x1536"] as const;

  constructor(
    private readonly endpoint: OpenAiEndpoint,
    readonly model: string,
  ) {}

  async generate({ prompt, size = this.sizes[0], signal }: ImageCall): Promise<GeneratedImage> {
    const { vendor } = this.endpoint;
    const client = await createOpenAiClient(this.endpoint);
    const { data } = await withOneRetry(
      signal,
      () =>
        client.images.generate(
          {
            model: this.model,
            prompt,
            size: size as (typeof this.sizes)[number],
            output_format: "png",
          },
          { signal },
        ),
      (fault, started) => describeOpenAiFault(vendor, fault, started),
    );
    const base64 = data?.[0]?.b64_json;
    if (base64 === undefined)
      throw new ProviderError(
        { code: "provider.image-missing", params: { vendor: vendor.name } },
        { kind: "server" },
      );
    return { mime: "image/png", base64 };
  }
}

/**
 * Shown while OpenAI's own list is unavailable (no key yet, offline): six, as existing clients
 * expect (wire-contract.md 11.1).
 */
const fallbackModels = [
  "gpt-4.1",
  "gpt-4.1-mini",
  "gpt-4.1-nano",
  "gpt-4o",
  "gpt-4o-mini",
  "o4-mini",
];

const isChatModel = (id: string): boolean =>
  /^(?:gpt|o\d)/.test(id) &&
  !/vision|instruct|audio|realtime|image|moderation|transcribe|tts/.test(id);

async function listIds(endpoint: OpenAiEndpoint, signal: AbortSignal): Promise<string[]> {
  return withOneRetry(
    signal,
    async () => {
      const ids: string[] = [];
      for await (const model of (await createOpenAiClient(endpoint)).models.list({ signal }))
        ids.push(model.id);
      return ids.sort(compareNaturally);
    },
    (fault, started) => describeOpenAiFault(endpoint.vendor, fault, started),
  );
}

const listed = (id: string, organization: string): ListedModel => ({
  id,
  name: id,
  organization,
  contextWindow: findOpenAiModel(id).contextWindow,
});

/**
 * wire-contract.md 11.1: chat models under `OpenAi`, custom ones under `Your Fine-Tunes`. Without a
 * key or a connection, the six fallback models.
 */
async function listOpenAiModels(
  endpoint: OpenAiEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const known = (): ListedModel[] => fallbackModels.map((id) => listed(id, "OpenAi"));
  return endpoint.apiKey === undefined ? known() : listOrKnown(listOwn(endpoint, signal), known);
}

async function listOwn(endpoint: OpenAiEndpoint, signal: AbortSignal): Promise<ListedModel[]> {
  const ids = await listIds(endpoint, signal);
  const own = ids.filter((id) => id.startsWith("ft:"));
  return [
    ...ids.filter(isChatModel).map((id) => listed(id, "OpenAi")),
    ...own.map((id) => listed(id, "Your Fine-Tunes")),
  ];
}

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
    // The only model that returns segments with times.
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
