import type { Out, listProviders } from "@carrel/contracts";
import { audioProviders } from "./fake-audio-providers.ts";

const chosenFrom = (setting: unknown, otherwise: string) => ({
  provider: typeof setting === "string" ? setting : otherwise,
  chosen: typeof setting === "string",
});

export const providers = (
  settings: Record<string, unknown>,
): Omit<Out<typeof listProviders>, "allowed"> => ({
  providers: [
    {
      id: "extractive",
      name: "Quotes from your documents",
      kind: "language",
      group: "builtin",
      listsModels: false,
      fields: [],
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
          label: "address",
          kind: "url",
          required: true,
          placeholder: "http://127.0.0.1:11434",
        },
        { key: "OllamaLLMModelPref", label: "model", kind: "model", required: true },
      ],
    },
    {
      id: "generic-openai",
      name: "OpenAI compatible",
      kind: "language",
      group: "local",
      listsModels: true,
      fields: [
        { key: "GenericOpenAiBasePath", label: "address", kind: "url", required: true },
        { key: "GenericOpenAiKey", label: "key", kind: "secret", required: false },
        { key: "GenericOpenAiModelPref", label: "model", kind: "model", required: true },
        {
          key: "GenericOpenAiTokenLimit",
          label: "contextWindow",
          kind: "number",
          required: false,
          empty: { uses: "server", otherwise: 8192 },
          clientDefault: 4096,
          min: 1,
        },
      ],
    },
    {
      id: "openai",
      name: "OpenAI",
      kind: "language",
      group: "hosted",
      keyUrl: "https://platform.openai.com/api-keys",
      listsModels: true,
      fields: [
        { key: "OpenAiKey", label: "key", kind: "secret", required: true, placeholder: "sk-…" },
        {
          key: "OpenAiModelPref",
          label: "model",
          kind: "model",
          required: true,
          default: "gpt-4.1-nano",
        },
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
        {
          key: "AnthropicApiKey",
          label: "key",
          kind: "secret",
          required: true,
          placeholder: "sk-ant-…",
        },
        {
          key: "AnthropicModelPref",
          label: "model",
          kind: "model",
          required: true,
          default: "claude-sonnet-4-6",
        },
        {
          key: "AnthropicCacheControl",
          label: "promptCache",
          kind: "select",
          required: false,
          default: "none",
          options: ["none", "5m", "1h"],
          advanced: true,
        },
      ],
    },
    {
      id: "native",
      name: "Built in",
      kind: "embedding",
      group: "builtin",
      listsModels: true,
      fields: [
        {
          key: "EmbeddingModelPref",
          label: "model",
          kind: "select",
          required: false,
          default: "Xenova/all-MiniLM-L6-v2",
          options: ["Xenova/all-MiniLM-L6-v2", "MintplexLabs/multilingual-e5-small"],
        },
      ],
    },
    {
      id: "lancedb",
      name: "LanceDB",
      kind: "vector",
      group: "builtin",
      listsModels: false,
      fields: [],
    },
    {
      id: "qdrant",
      name: "Qdrant",
      kind: "vector",
      group: "local",
      listsModels: false,
      fields: [{ key: "QdrantEndpoint", label: "endpoint", kind: "url", required: true }],
    },
    ...audioProviders,
  ],
  language: {
    provider: typeof settings.LLMProvider === "string" ? settings.LLMProvider : "extractive",
    model: null,
    chosen: "LLMProvider" in settings,
  },
  embedding: {
    provider: typeof settings.EmbeddingEngine === "string" ? settings.EmbeddingEngine : "native",
    model: "Xenova/all-MiniLM-L6-v2",
  },
  vector: { provider: "lancedb", chosen: false },
  speech: chosenFrom(settings.TextToSpeechProvider, "native"),
  dictation: chosenFrom(settings.SpeechToTextProvider, "native"),
  transcription: chosenFrom(settings.WhisperProvider, "local"),
  locked: [],
});
