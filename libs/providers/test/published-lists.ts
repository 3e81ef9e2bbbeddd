// Lists of models as the vendors that speak OpenAI's protocol publish them (their API references,
// 2025 and 2026), and what existing clients get of them (wire-contract 11.1).

export const data = (...models: object[]) => ({ object: "list", data: models });

export interface PublishedList {
  /** Below the base URL; by default `/models`. */
  path?: string;
  reply: unknown;
  models: object[];
  /** The list needs no key. */
  isPublic?: boolean;
}

/** In the order of the vendors; only what matters of each reply. */
export const publishedLists: Record<string, PublishedList> = {
  mistral: {
    reply: data(
      {
        id: "mistral-large-latest",
        name: "mistral-large-2512",
        owned_by: "mistralai",
        max_context_length: 262_144,
        capabilities: { completion_chat: true },
      },
      { id: "mistral-embed", owned_by: "mistralai", capabilities: { completion_chat: false } },
      { id: "mistral-ocr-latest", owned_by: "mistralai", capabilities: { completion_chat: false } },
    ),
    models: [
      {
        id: "mistral-large-latest",
        name: "mistral-large-latest",
        organization: "mistralai",
        contextWindow: 262_144,
      },
    ],
  },
  deepseek: {
    reply: data({ id: "deepseek-chat", owned_by: "deepseek" }),
    models: [{ id: "deepseek-chat", name: "deepseek-chat", organization: "deepseek" }],
  },
  xai: {
    reply: data(
      { id: "grok-4", owned_by: "xai" },
      { id: "grok-2-image-1212", owned_by: "xai" },
      { id: "grok-imagine-video", owned_by: "xai" },
    ),
    models: [{ id: "grok-4", organization: "xai" }],
  },
  moonshotai: {
    reply: data({ id: "kimi-k2-0905-preview", owned_by: "moonshot", context_length: 262_144 }),
    models: [{ id: "kimi-k2-0905-preview", organization: "moonshot", contextWindow: 262_144 }],
  },
  zai: {
    reply: data({ id: "glm-4.6", owned_by: "z-ai" }),
    models: [{ id: "glm-4.6", organization: "z-ai" }],
  },
  minimax: {
    reply: data({ id: "MiniMax-M2.7", owned_by: "minimax" }),
    models: [{ id: "MiniMax-M2.7", organization: "minimax" }],
  },
  novita: {
    isPublic: true,
    reply: data({ id: "deepseek/deepseek-r1", title: "DeepSeek R1", context_size: 64_000 }),
    models: [
      {
        id: "deepseek/deepseek-r1",
        name: "DeepSeek R1",
        organization: "deepseek",
        contextWindow: 64_000,
      },
    ],
  },
  togetherai: {
    reply: [
      {
        id: "meta-llama/Llama-3.3-70B-Instruct-Turbo",
        type: "chat",
        display_name: "Meta Llama 3.3 70B Instruct Turbo",
        organization: "Meta",
        context_length: 131_072,
      },
      { id: "black-forest-labs/FLUX.1", type: "image", organization: "Black Forest Labs" },
    ],
    models: [
      {
        id: "meta-llama/Llama-3.3-70B-Instruct-Turbo",
        name: "Meta Llama 3.3 70B Instruct Turbo",
        organization: "Meta",
        contextWindow: 131_072,
        type: "chat",
        maxLength: 131_072,
      },
    ],
  },
  fireworksai: {
    reply: data(
      {
        id: "accounts/fireworks/models/llama-v3p1-8b-instruct",
        owned_by: "fireworks",
        supports_chat: true,
        context_length: 131_072,
      },
      { id: "accounts/fireworks/models/flux-1-dev", owned_by: "fireworks", supports_chat: false },
    ),
    models: [
      {
        id: "accounts/fireworks/models/llama-v3p1-8b-instruct",
        name: "llama-v3p1-8b-instruct",
        organization: "fireworks",
        contextWindow: 131_072,
      },
    ],
  },
  groq: {
    reply: data(
      { id: "llama-3.1-8b-instant", owned_by: "Meta", context_window: 131_072 },
      { id: "whisper-large-v3", owned_by: "OpenAI", context_window: 448 },
      { id: "llama3-groq-70b-8192-tool-use-preview", owned_by: "Groq", context_window: 8_192 },
    ),
    models: [{ id: "llama-3.1-8b-instant", organization: "Meta", contextWindow: 131_072 }],
  },
  ppio: {
    isPublic: true,
    reply: data({ id: "qwen/qwen2.5-32b-instruct", context_size: 32_000 }),
    models: [{ id: "qwen/qwen2.5-32b-instruct", organization: "qwen", contextWindow: 32_000 }],
  },
  cerebras: {
    path: "/public/v1/models",
    isPublic: true,
    reply: data({ id: "llama3.1-8b", owned_by: "Meta" }),
    models: [{ id: "llama3.1-8b", organization: "Meta" }],
  },
  sambanova: {
    reply: data(
      { id: "DeepSeek-V3.1", owned_by: "deepseek", context_length: 131_072 },
      { id: "Whisper-Large-v3", owned_by: "openai" },
    ),
    models: [{ id: "DeepSeek-V3.1", organization: "deepseek", contextWindow: 131_072 }],
  },
  giteeai: {
    reply: data({ id: "Qwen2.5-72B-Instruct", owned_by: "Qwen" }),
    models: [{ id: "Qwen2.5-72B-Instruct", organization: "Qwen" }],
  },
  openrouter: {
    isPublic: true,
    reply: data({ id: "mistralai/mistral-small", name: "Mistral: Small", context_length: 96_000 }),
    models: [
      {
        id: "mistralai/mistral-small",
        name: "Mistral: Small",
        organization: "mistralai",
        contextWindow: 96_000,
      },
    ],
  },
  apipie: {
    isPublic: true,
    reply: data(
      { id: "gpt-4o", model: "gpt-4o", provider: "openai", subtype: "chatx", max_tokens: 128_000 },
      { id: "dall-e-3", model: "dall-e-3", provider: "openai", subtype: "text-to-image" },
    ),
    models: [
      {
        id: "openai/gpt-4o",
        name: "openai/gpt-4o",
        organization: "openai",
        maxLength: 128_000,
        contextWindow: 128_000,
      },
    ],
  },
  cometapi: {
    isPublic: true,
    reply: data({ id: "gpt-5-mini" }, { id: "dall-e-3" }, { id: "suno-v4" }),
    models: [{ id: "gpt-5-mini", organization: "CometAPI" }],
  },
  "nvidia-nim": {
    path: "/v1/models",
    reply: data({ id: "meta/llama-3.1-8b-instruct", owned_by: "system", max_model_len: 131_072 }),
    models: [{ id: "meta/llama-3.1-8b-instruct", organization: "meta", contextWindow: 131_072 }],
  },
  lmstudio: {
    path: "/v1/models",
    reply: data(
      { id: "my-model", owned_by: "organization_owner" },
      { id: "text-embedding-nomic-embed-text-v1.5", owned_by: "organization_owner" },
    ),
    models: [
      { id: "my-model", name: "my-model", organization: "LM Studio" },
      { id: "text-embedding-nomic-embed-text-v1.5", organization: "LM Studio" },
    ],
  },
  localai: {
    reply: data({ id: "my-model" }),
    models: [{ id: "my-model", organization: "LocalAI" }],
  },
  koboldcpp: {
    reply: data({ id: "koboldcpp/my-model", owned_by: "koboldcpp" }),
    models: [{ id: "koboldcpp/my-model", organization: "koboldcpp" }],
  },
  litellm: {
    reply: data({ id: "bedrock/my-model", owned_by: "openai" }),
    models: [{ id: "bedrock/my-model", organization: "bedrock" }],
  },
  "docker-model-runner": {
    path: "/engines/v1/models",
    reply: data({ id: "ai/smollm2", owned_by: "docker" }),
    models: [{ id: "ai/smollm2", organization: "ai" }],
  },
  lemonade: {
    path: "/api/v1/models",
    reply: data(
      { id: "My-Model-GGUF", owned_by: "lemonade", labels: ["reasoning"] },
      { id: "nomic-embed", owned_by: "lemonade", labels: ["embeddings"] },
    ),
    models: [{ id: "My-Model-GGUF", organization: "Lemonade" }],
  },
  foundry: {
    path: "/v1/models",
    reply: data({ id: "my-model-cpu", owned_by: "Microsoft", maxInputTokens: 16_000 }),
    models: [{ id: "my-model-cpu", organization: "Foundry Local", contextWindow: 16_000 }],
  },
  privatemode: {
    path: "/v1/models",
    reply: data(
      { id: "my-model", tasks: ["generate", "tool_calling"] },
      { id: "my-embedder", tasks: ["embed"] },
    ),
    models: [{ id: "my-model", organization: "Privatemode" }],
  },
  dpais: {
    path: "/v1/openai/models",
    reply: data(
      { id: "my-model", capability: "TextToText" },
      { id: "my-embedder", capability: "TextToEmbeddings" },
    ),
    models: [{ id: "my-model", organization: "Dell Pro AI Studio" }],
  },
  omlx: {
    path: "/v1/models",
    reply: data({ id: "my-model" }),
    models: [{ id: "my-model", organization: "oMLX" }],
  },
};
