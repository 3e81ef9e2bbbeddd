import {
  all,
  anything,
  notEmpty,
  optional,
  positiveNumber,
  webAddress,
  webAddressWithV1,
} from "@carrel/contracts";
import { z } from "zod";
import { sharedFetch } from "../http/run-request.ts";
import type { ModelAbilities } from "../openai/chat-language-model.ts";
import { openAiHeaders, type OpenAiEndpoint } from "../openai/openai-client.ts";
import { readOrigin } from "../setting-values.ts";
import { audioAddress, audioModel, createTranscription } from "./audio-vendor.ts";
import {
  addressField,
  keyField,
  maxTokensField,
  modelField,
  optionalKeyField,
  windowField,
  type ChatPreset,
} from "./chat-vendor.ts";
import {
  embeddingAddress,
  embeddingModel,
  maxChunkLength,
  optionalEmbeddingKey,
  outputDimensions,
} from "./embedding-vendor.ts";

const timeoutMs = 3_000;

/** Since LM Studio 0.4 (lmstudio.ai/docs/developer/rest, 2026). */
const models = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      loaded_instances: z.array(z.object({ id: z.string() })).catch([]),
      capabilities: z
        .object({
          vision: z.boolean().optional(),
          trained_for_tool_use: z.boolean().optional(),
        })
        .optional(),
    }),
  ),
});
/** Before that (lmstudio.ai/docs/developer/rest/endpoints, v0, 2025). */
const olderModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional(),
      capabilities: z.array(z.string()).optional(),
    }),
  ),
});

async function ask(endpoint: OpenAiEndpoint, path: string, signal: AbortSignal): Promise<unknown> {
  try {
    const { origin } = new URL(endpoint.baseUrl);
    const reply = await sharedFetch(origin, endpoint.limits)(`${origin}${path}`, {
      headers: { accept: "application/json", ...openAiHeaders(endpoint) },
      signal,
    });
    const text = await reply.text();
    return reply.ok ? (JSON.parse(text) as unknown) : null;
  } catch {
    // The actual question will report what is wrong with the server more clearly.
    return null;
  }
}

/** What LM Studio says about a model; undefined if it is unreachable or says nothing. */
async function findLmStudioAbilities(
  endpoint: OpenAiEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<ModelAbilities | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const listed = models.safeParse(await ask(endpoint, "/api/v1/models", limited)).data;
  const found = listed?.models.find(
    ({ key, loaded_instances: loaded }) => key === model || loaded.some(({ id }) => id === model),
  )?.capabilities;
  if (found !== undefined) return { images: found.vision, tools: found.trained_for_tool_use };
  const older = olderModels.safeParse(await ask(endpoint, "/api/v0/models", limited)).data;
  const entry = older?.data.find(({ id }) => id === model);
  if (entry === undefined) return undefined;
  return {
    images: entry.type === undefined ? undefined : entry.type === "vlm",
    tools: entry.capabilities?.includes("tool_use"),
  };
}

/** This machine and, from within a container, its host. */
const hosts = ["127.0.0.1", "localhost", "host.docker.internal", "172.17.0.1"];

/** Where a self-hosted server usually answers (specification 2, section 9). */
export const usualAddresses = (port: number, path = ""): string[] =>
  hosts.map((host) => `http://${host}:${port}${path}`);

const atOrigin = (path: string) => (address: string) => readOrigin(address) + path;
const unchecked = { required: false, check: optional(positiveNumber) };
const withV1 = { check: all(notEmpty, webAddressWithV1) };
const lemonadeAddresses = [8000, 13305].flatMap((port) => usualAddresses(port, "/live"));
const liteLlmAddress = addressField("LiteLLMBasePath", "http://127.0.0.1:4000");

/**
 * Self-hosted servers that speak chat completions; paths and lists from their documentation
 * (docs.nvidia.com/nim, lmstudio.ai/docs, localai.io, the KoboldCpp and text-generation-webui
 * wikis, docs.litellm.ai, docs.docker.com/ai/model-runner, lemonade-server.ai/docs,
 * learn.microsoft.com/azure/ai-foundry/foundry-local, docs.privatemode.ai, Dell's guide to Pro AI
 * Studio, github.com/jundot/omlx; 2025 and 2026).
 */
export const localServers: readonly ChatPreset[] = [
  {
    id: "nvidia-nim",
    name: "NVIDIA NIM",
    group: "local",
    toBaseUrl: atOrigin("/v1"),
    fields: [
      addressField("NvidiaNimLLMBasePath", "http://127.0.0.1:8000/v1", {
        candidates: usualAddresses(8000, "/v1/version"),
      }),
      modelField("NvidiaNimLLMModelPref", undefined, { check: anything }),
      // Filled with what the server's list says about the model.
      windowField("NvidiaNimLLMTokenLimit", 4096, { ...unchecked, advanced: true }),
    ],
    list: {},
  },
  {
    id: "lmstudio",
    name: "LM Studio",
    group: "local",
    toBaseUrl: atOrigin("/v1"),
    fields: [
      addressField("LMStudioBasePath", "http://127.0.0.1:1234/v1", {
        ...withV1,
        candidates: usualAddresses(1234, "/v1"),
      }),
      modelField("LMStudioModelPref", undefined, { check: anything }),
      windowField("LMStudioTokenLimit", 4096, unchecked),
      keyField("LMStudioAuthToken", { label: "accessToken", required: false, advanced: true }),
    ],
    // Existing clients also choose embedders from it (wire-contract 11.2).
    list: {},
    findAbilities: findLmStudioAbilities,
    embedder: {
      toBaseUrl: atOrigin("/v1"),
      fields: [
        embeddingAddress("http://127.0.0.1:1234/v1", usualAddresses(1234, "/v1")),
        embeddingModel(),
        maxChunkLength,
        optionalEmbeddingKey("LMStudioAuthToken", { label: "accessToken", advanced: true }),
      ],
      batch: 1,
      needsPrefixes: true,
      // It lists embedders as `text-embedding-…`.
      list: { keep: ({ id }) => id.includes("embed") },
    },
  },
  {
    id: "localai",
    name: "LocalAI",
    group: "local",
    fields: [
      addressField("LocalAiBasePath", "http://127.0.0.1:8080/v1", {
        ...withV1,
        candidates: usualAddresses(8080, "/v1"),
      }),
      optionalKeyField("LocalAiApiKey"),
      modelField("LocalAiModelPref", undefined, { check: anything }),
      windowField("LocalAiTokenLimit"),
    ],
    list: {},
    embedder: {
      fields: [
        embeddingAddress("http://127.0.0.1:8080/v1", usualAddresses(8080, "/v1")),
        optionalEmbeddingKey("LocalAiApiKey"),
        embeddingModel(),
        maxChunkLength,
      ],
      batch: 50,
      needsPrefixes: true,
      list: {},
    },
  },
  {
    id: "koboldcpp",
    name: "KoboldCpp",
    group: "local",
    fields: [
      addressField("KoboldCPPBasePath", "http://127.0.0.1:5000/v1", {
        candidates: usualAddresses(5000, "/v1"),
        check: all(notEmpty, webAddress),
      }),
      modelField("KoboldCPPModelPref"),
      windowField("KoboldCPPTokenLimit"),
      maxTokensField("KoboldCPPMaxTokens", 2048),
    ],
    list: {},
  },
  {
    id: "textgenwebui",
    name: "Text Generation WebUI",
    group: "local",
    fields: [
      addressField("TextGenWebUIBasePath", "http://127.0.0.1:5000/v1"),
      windowField("TextGenWebUITokenLimit"),
      optionalKeyField("TextGenWebUIAPIKey"),
    ],
    // It answers with the loaded model, whatever a request names.
    model: "loaded",
  },
  {
    id: "litellm",
    name: "LiteLLM",
    group: "local",
    isRelay: true,
    triedWith: "LiteLLM 1.108.7",
    fields: [
      liteLlmAddress,
      modelField("LiteLLMModelPref"),
      windowField("LiteLLMTokenLimit"),
      keyField("LiteLLMAPIKey", { required: false, aliases: ["LiteLLMApiKey"] }),
    ],
    list: {},
    supports: { files: true },
    embedder: {
      fields: [
        liteLlmAddress,
        embeddingModel("text-embedding-ada-002"),
        maxChunkLength,
        optionalEmbeddingKey("LiteLLMAPIKey"),
        outputDimensions,
      ],
      batch: 500,
      list: {},
    },
  },
  {
    id: "docker-model-runner",
    name: "Docker Model Runner",
    group: "local",
    toBaseUrl: atOrigin("/engines/v1"),
    fields: [
      addressField("DockerModelRunnerBasePath", "http://127.0.0.1:12434/engines/v1", {
        candidates: [
          ...usualAddresses(12434, "/engines/llama.cpp/v1"),
          "http://model-runner.docker.internal/engines/llama.cpp/v1",
        ],
      }),
      modelField("DockerModelRunnerModelPref"),
      windowField("DockerModelRunnerModelTokenLimit", 8192),
    ],
    list: {},
  },
  {
    id: "lemonade",
    name: "Lemonade",
    group: "local",
    toBaseUrl: atOrigin("/api/v1"),
    fields: [
      addressField("LemonadeLLMBasePath", "http://127.0.0.1:8000/api/v1", {
        candidates: lemonadeAddresses,
      }),
      optionalKeyField("LemonadeLLMApiKey"),
      modelField("LemonadeLLMModelPref"),
      windowField("LemonadeLLMModelTokenLimit", 8192),
    ],
    list: {
      keep: ({ labels }) =>
        !Array.isArray(labels) ||
        !labels.some((label) =>
          ["embeddings", "reranking", "audio", "image"].includes(String(label)),
        ),
    },
    dictation: createTranscription(
      { id: "lemonade", name: "Lemonade" },
      {
        toBaseUrl: atOrigin("/api/v1"),
        fields: [
          audioAddress("STTLemonadeBasePath", "http://127.0.0.1:8000/api/v1", lemonadeAddresses),
          audioModel("STTLemonadeModelPref"),
        ],
        segments: false,
        list: { keep: ({ labels }) => Array.isArray(labels) && labels.includes("audio") },
      },
    ),
    embedder: {
      toBaseUrl: atOrigin("/api/v1"),
      fields: [
        embeddingAddress("http://127.0.0.1:8000/api/v1", lemonadeAddresses),
        optionalEmbeddingKey("LemonadeLLMApiKey"),
        embeddingModel(),
        maxChunkLength,
      ],
      batch: 50,
      needsPrefixes: true,
      list: { keep: ({ labels }) => Array.isArray(labels) && labels.includes("embeddings") },
    },
  },
  {
    id: "foundry",
    name: "Foundry Local",
    group: "local",
    toBaseUrl: atOrigin("/v1"),
    fields: [
      addressField("FoundryBasePath", "http://127.0.0.1:5272", {
        check: all(notEmpty, webAddress),
      }),
      modelField("FoundryModelPref"),
      windowField("FoundryModelTokenLimit", 4096, unchecked),
    ],
    list: {},
  },
  {
    id: "privatemode",
    name: "Privatemode",
    group: "local",
    isRelay: true,
    toBaseUrl: atOrigin("/v1"),
    fields: [
      addressField("PrivateModeBasePath", "http://127.0.0.1:8080/v1"),
      modelField("PrivateModeModelPref"),
    ],
    list: {
      keep: ({ tasks }) => !Array.isArray(tasks) || tasks.includes("generate"),
    },
  },
  {
    id: "dpais",
    name: "Dell Pro AI Studio",
    group: "local",
    toBaseUrl: atOrigin("/v1/openai"),
    fields: [
      addressField("DellProAiStudioBasePath", "http://127.0.0.1:8553/v1/openai", {
        candidates: usualAddresses(8553, "/v1/openai"),
        check: all(notEmpty, webAddress),
      }),
      modelField("DellProAiStudioModelPref"),
      windowField("DellProAiStudioTokenLimit"),
    ],
    list: {
      keep: ({ capability }) =>
        capability === undefined || String(capability).includes("TextToText"),
    },
  },
  {
    id: "omlx",
    name: "oMLX",
    group: "local",
    toBaseUrl: atOrigin("/v1"),
    fields: [
      addressField("OMLXLLMBasePath", "http://127.0.0.1:8000", {
        candidates: usualAddresses(8000),
      }),
      optionalKeyField("OMLXLLMApiKey"),
      modelField("OMLXLLMModelPref"),
      windowField("OMLXLLMTokenLimit", 4096, unchecked),
    ],
    list: {},
  },
];
