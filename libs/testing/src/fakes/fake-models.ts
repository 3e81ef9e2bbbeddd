import { ollamaTags } from "./wire-ollama.ts";

const openAiModels = [
  "gpt-4.1-nano",
  "gpt-4o",
  "gpt-4o-audio-preview",
  "o3-mini",
  "ft:gpt-4o-mini:mine::abc",
  "text-embedding-3-small",
  "dall-e-3",
  "whisper-1",
];
const anthropicModels = [
  { id: "claude-sonnet-4-6", display_name: "Claude Sonnet 4.6" },
  { id: "claude-haiku-4-5", display_name: "Claude Haiku 4.5" },
];

/** OpenAI's /v1/models. */
export const listOpenAiModels = (ids: string[] = openAiModels) => ({
  object: "list",
  data: ids.map((id) => ({ id, object: "model", created: 1_763_689_200, owned_by: "fake" })),
});

/** Anthropic's /v1/models. */
export const listAnthropicModels = () => ({
  data: anthropicModels.map((model) => ({
    type: "model",
    created_at: "2026-02-01T00:00:00Z",
    ...model,
  })),
  has_more: false,
  first_id: anthropicModels[0]!.id,
  last_id: anthropicModels.at(-1)!.id,
});

/** Ollama's /api/tags. */
export const listOllamaModels = (ids: string[] = ["llama3:latest", "qwen3:8b"]) => ollamaTags(ids);

/** Ollama's /api/show. */
export const showOllamaModel = (o: {
  contextLength: number;
  dimensions: number;
  capabilities: string[] | undefined;
}) => ({
  details: { family: "llama" },
  model_info: {
    "general.architecture": "llama",
    "llama.context_length": o.contextLength,
    "llama.embedding_length": o.dimensions,
  },
  capabilities: o.capabilities ?? ["completion"],
});
