import type { ProviderDeclaration } from "@carrel/contracts";
import { nativeModels } from "./native/native-models.ts";

// Fields, defaults and ids after wire-contract.md 11.1 to 11.3 and specification 2, sections 3, 5
// and 9.

export const languageProviders: ProviderDeclaration[] = [
  {
    id: "extractive",
    name: "Quotes from your documents",
    kind: "language",
    group: "builtin",
    listsModels: false,
    fields: [],
  },
  {
    id: "openai",
    name: "OpenAI",
    kind: "language",
    group: "hosted",
    keyUrl: "https://platform.openai.com/api-keys",
    listsModels: true,
    fields: [
      { key: "OpenAiKey", kind: "secret", required: true, placeholder: "sk-…" },
      { key: "OpenAiModelPref", kind: "model", required: true, default: "gpt-4.1-nano" },
    ],
  },
  {
    id: "anthropic",
    name: "Anthropic",
    kind: "language",
    group: "hosted",
    keyUrl: "https://console.anthropic.com/settings/keys",
    listsModels: true,
    fields: [
      { key: "AnthropicApiKey", kind: "secret", required: true, placeholder: "sk-ant-…" },
      { key: "AnthropicModelPref", kind: "model", required: true, default: "claude-sonnet-4-6" },
      {
        key: "AnthropicCacheControl",
        kind: "select",
        required: false,
        default: "none",
        options: ["none", "5m", "1h"],
        advanced: true,
      },
    ],
  },
  {
    id: "ollama",
    name: "Ollama",
    kind: "language",
    group: "local",
    listsModels: true,
    fields: [
      {
        key: "OllamaLLMBasePath",
        kind: "url",
        required: true,
        placeholder: "http://127.0.0.1:11434",
      },
      { key: "OllamaLLMModelPref", kind: "model", required: true },
      { key: "OllamaLLMTokenLimit", kind: "number", required: false, default: 4096, min: 1 },
      {
        key: "OllamaLLMKeepAliveSeconds",
        kind: "select",
        required: false,
        default: "300",
        options: ["0", "300", "3600", "-1"],
        advanced: true,
      },
      {
        key: "OllamaLLMPerformanceMode",
        kind: "select",
        required: false,
        default: "maximum",
        options: ["base", "maximum"],
        advanced: true,
      },
      { key: "OllamaLLMAuthToken", kind: "secret", required: false, advanced: true },
    ],
  },
  {
    id: "generic-openai",
    name: "OpenAI compatible",
    kind: "language",
    group: "local",
    listsModels: true,
    fields: [
      {
        key: "GenericOpenAiBasePath",
        kind: "url",
        required: true,
        placeholder: "http://127.0.0.1:8080/v1",
      },
      { key: "GenericOpenAiKey", kind: "secret", required: false },
      { key: "GenericOpenAiModelPref", kind: "model", required: true },
      { key: "GenericOpenAiTokenLimit", kind: "number", required: true, default: 4096, min: 1 },
      { key: "GenericOpenAiMaxTokens", kind: "number", required: true, default: 1024, min: 1 },
    ],
  },
];

const chunkLength = {
  key: "EmbeddingModelMaxChunkLength",
  kind: "number",
  required: false,
  default: 1000,
  min: 1,
} as const;
const basePath = { key: "EmbeddingBasePath", kind: "url", required: true } as const;
const dimensions = {
  key: "EmbeddingOutputDimensions",
  kind: "number",
  required: false,
  min: 1,
  advanced: true,
} as const;

export const embeddingProviders: ProviderDeclaration[] = [
  {
    id: "native",
    name: "Built in",
    kind: "embedding",
    group: "builtin",
    listsModels: true,
    fields: [
      {
        key: "EmbeddingModelPref",
        kind: "select",
        required: false,
        default: nativeModels[0]!.id,
        options: nativeModels.map((model) => model.id),
      },
    ],
  },
  {
    id: "openai",
    name: "OpenAI",
    kind: "embedding",
    group: "hosted",
    keyUrl: "https://platform.openai.com/api-keys",
    listsModels: false,
    fields: [
      { key: "OpenAiKey", kind: "secret", required: true, placeholder: "sk-…" },
      {
        key: "EmbeddingModelPref",
        kind: "select",
        required: true,
        default: "text-embedding-ada-002",
        options: ["text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large"],
      },
      dimensions,
    ],
  },
  {
    id: "ollama",
    name: "Ollama",
    kind: "embedding",
    group: "local",
    listsModels: true,
    fields: [
      { ...basePath, placeholder: "http://127.0.0.1:11434" },
      { key: "EmbeddingModelPref", kind: "model", required: true },
      chunkLength,
      {
        key: "OllamaEmbeddingBatchSize",
        kind: "number",
        required: false,
        default: 1,
        min: 1,
        advanced: true,
      },
      { key: "OllamaLLMAuthToken", kind: "secret", required: false, advanced: true },
    ],
  },
  {
    id: "generic-openai",
    name: "OpenAI compatible",
    kind: "embedding",
    group: "local",
    listsModels: false,
    fields: [
      { ...basePath, placeholder: "http://127.0.0.1:8080/v1" },
      { key: "EmbeddingModelPref", kind: "text", required: true },
      chunkLength,
      { key: "GenericOpenAiEmbeddingApiKey", kind: "secret", required: false },
      {
        key: "GenericOpenAiEmbeddingMaxConcurrentChunks",
        kind: "number",
        required: false,
        default: 500,
        min: 1,
        advanced: true,
      },
      {
        key: "GenericOpenAiEmbeddingPassagePrefix",
        kind: "text",
        required: false,
        default: "",
        advanced: true,
      },
      {
        key: "GenericOpenAiEmbeddingQueryPrefix",
        kind: "text",
        required: false,
        default: "",
        advanced: true,
      },
      dimensions,
    ],
  },
];

export { vectorProviders } from "./vector-declarations.ts";
