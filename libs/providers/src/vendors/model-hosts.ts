import { all, huggingFaceAddress, notEmpty } from "@carrel/contracts";
import { readNumber, readText } from "../openai/model-listing.ts";
import { audioModel, createTranscription } from "./audio-vendor.ts";
import {
  addressField,
  keyField,
  modelField,
  timeoutField,
  windowField,
  type ChatPreset,
} from "./chat-vendor.ts";

/** For these models, Groq rejects tools and JSON unless reasoning is sent separately. */
const groqReasons = (model: string): boolean => /qwq|qwen-?3|deepseek-r1/.test(model);

/**
 * Vendors that serve others' models through chat completions; addresses, lists and quirks from
 * their API references (huggingface.co/docs/inference-endpoints, novita.ai/docs, docs.together.ai,
 * docs.fireworks.ai, console.groq.com/docs, ppio.com/docs, inference-docs.cerebras.ai,
 * docs.sambanova.ai, ai.gitee.com/docs; 2025 and 2026).
 */
export const modelHosts: readonly ChatPreset[] = [
  {
    id: "huggingface",
    name: "Hugging Face",
    group: "hosted",
    dataPolicyUrl: "https://huggingface.co/docs/inference-endpoints/security",
    keyUrl: "https://huggingface.co/settings/tokens",
    toBaseUrl: (address) => `${address.replace(/(?:\/v1)?\/*$/, "")}/v1`,
    fields: [
      addressField(
        "HuggingFaceLLMEndpoint",
        "https://example.us-east-1.aws.endpoints.huggingface.cloud",
        {
          check: all(notEmpty, huggingFaceAddress),
        },
      ),
      keyField("HuggingFaceLLMAccessToken", { label: "accessToken" }),
      windowField("HuggingFaceLLMTokenLimit"),
    ],
    // Each endpoint serves one model, under this name.
    model: "tgi",
  },
  {
    id: "novita",
    name: "Novita AI",
    group: "hosted",
    dataPolicyUrl: "https://novita.ai/legal/privacy-policy",
    keyUrl: "https://novita.ai/settings/key-management",
    baseUrl: "https://api.novita.ai/v3/openai",
    fields: [
      keyField("NovitaLLMApiKey"),
      modelField("NovitaLLMModelPref", "deepseek/deepseek-r1"),
      timeoutField("NovitaLLMTimeout"),
    ],
    list: { isPublic: true },
  },
  {
    id: "togetherai",
    name: "Together AI",
    group: "hosted",
    dataPolicyUrl: "https://www.together.ai/privacy",
    keyUrl: "https://api.together.ai/settings/api-keys",
    baseUrl: "https://api.together.xyz/v1",
    fields: [keyField("TogetherAiApiKey"), modelField("TogetherAiModelPref")],
    list: {
      keep: ({ type }) => type === "chat",
      describe: (entry) => ({
        organization: readText(entry, ["organization"]) ?? entry.id.split("/")[0]!,
        type: "chat",
        ...lengthOf(readNumber(entry, ["context_length"])),
      }),
    },
  },
  {
    id: "fireworksai",
    name: "Fireworks AI",
    group: "hosted",
    dataPolicyUrl: "https://fireworks.ai/privacy-policy",
    keyUrl: "https://app.fireworks.ai/settings/users/api-keys",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    fields: [keyField("FireworksAiLLMApiKey"), modelField("FireworksAiLLMModelPref")],
    list: {
      keep: ({ supports_chat: chats }) => chats !== false,
      // Ids are accounts/<account>/models/<model>.
      describe: (entry) => ({
        name: entry.id.slice(entry.id.lastIndexOf("/") + 1),
        organization: readText(entry, ["owned_by"]) ?? "Fireworks AI",
      }),
    },
  },
  {
    id: "groq",
    name: "Groq",
    group: "hosted",
    dataPolicyUrl: "https://groq.com/privacy-policy",
    keyUrl: "https://console.groq.com/keys",
    baseUrl: "https://api.groq.com/openai/v1",
    fields: [keyField("GroqApiKey"), modelField("GroqModelPref", "llama-3.1-8b-instant")],
    contextWindow: 131_072,
    list: { keep: ({ id }) => !/whisper|tool-use/.test(id) },
    dictation: createTranscription(
      { id: "groq", name: "Groq" },
      {
        baseUrl: "https://api.groq.com/openai/v1",
        fields: [
          keyField("STTGroqApiKey"),
          audioModel("STTGroqModel", "whisper-large-v3-turbo", { check: notEmpty }),
        ],
        segments: false,
        list: { keep: ({ id }) => id.includes("whisper") },
      },
    ),
    dialect: {
      maxTokensName: "max_completion_tokens",
      extend: (model) => (groqReasons(model) ? { reasoning_format: "parsed" } : {}),
    },
  },
  {
    id: "ppio",
    name: "PPIO",
    group: "hosted",
    keyUrl: "https://ppio.com/settings/key-management",
    baseUrl: "https://api.ppinfra.com/v3/openai",
    fields: [keyField("PPIOApiKey"), modelField("PPIOModelPref", "qwen/qwen2.5-32b-instruct")],
    list: { isPublic: true },
  },
  {
    id: "cerebras",
    name: "Cerebras",
    group: "hosted",
    dataPolicyUrl: "https://www.cerebras.ai/privacy-policy",
    keyUrl: "https://cloud.cerebras.ai",
    baseUrl: "https://api.cerebras.ai/v1",
    fields: [keyField("CerebrasApiKey"), modelField("CerebrasModelPref", "gpt-oss-120b")],
    contextWindow: 65_536,
    list: { path: "/public/v1/models", isPublic: true },
    dialect: { maxTokensName: "max_completion_tokens" },
  },
  {
    id: "sambanova",
    name: "SambaNova",
    group: "hosted",
    dataPolicyUrl: "https://sambanova.ai/privacy-policy",
    keyUrl: "https://cloud.sambanova.ai/apis",
    baseUrl: "https://api.sambanova.ai/v1",
    fields: [keyField("SambaNovaLLMApiKey"), modelField("SambaNovaLLMModelPref")],
    list: { keep: ({ id }) => !/whisper/i.test(id) },
  },
  {
    id: "giteeai",
    name: "Gitee AI",
    group: "hosted",
    keyUrl: "https://ai.gitee.com/dashboard/settings/tokens",
    baseUrl: "https://ai.gitee.com/v1",
    fields: [
      keyField("GiteeAIApiKey"),
      modelField("GiteeAIModelPref"),
      windowField("GiteeAITokenLimit", 8192),
    ],
    list: {},
  },
];

const lengthOf = (tokens: number | undefined): { maxLength?: number } =>
  tokens === undefined ? {} : { maxLength: tokens };
