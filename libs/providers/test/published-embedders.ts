import { data, type PublishedList } from "./published-lists.ts";

/** The same for embedders (wire-contract 2.2 and 11.2), which have lists of their own. */
export const publishedEmbedders: Record<string, PublishedList> = {
  openai: {
    reply: data(
      { id: "text-embedding-3-large", owned_by: "system" },
      { id: "gpt-4o", owned_by: "system" },
      { id: "text-embedding-ada-002", owned_by: "openai-internal" },
    ),
    models: [
      { id: "text-embedding-3-large", organization: "OpenAI" },
      { id: "text-embedding-ada-002", organization: "OpenAI" },
    ],
  },
  mistral: {
    reply: data(
      { id: "mistral-embed", name: "mistral-embed-2312", owned_by: "mistralai" },
      { id: "mistral-large-latest", owned_by: "mistralai" },
    ),
    models: [{ id: "mistral-embed", name: "mistral-embed", organization: "mistralai" }],
  },
  openrouter: {
    path: "/base/embeddings/models",
    isPublic: true,
    reply: data({ id: "baai/bge-m3", name: "BAAI: bge-m3", context_length: 8_192 }),
    models: [
      { id: "baai/bge-m3", name: "BAAI: bge-m3", organization: "baai", contextWindow: 8_192 },
    ],
  },
  cohere: {
    path: "/base/v1/models",
    reply: { models: [{ name: "embed-v4.0", context_length: 128_000 }] },
    models: [
      { id: "embed-v4.0", name: "embed-v4.0", organization: "Cohere", contextWindow: 128_000 },
    ],
  },
  ollama: {
    path: "/base/api/tags",
    reply: { models: [{ name: "nomic-embed-text:latest" }, { name: "llama3:latest" }] },
    models: [{ id: "nomic-embed-text:latest" }, { id: "llama3:latest" }],
  },
  lmstudio: {
    path: "/v1/models",
    reply: data({ id: "my-model" }, { id: "text-embedding-nomic-embed-text-v1.5" }),
    models: [{ id: "text-embedding-nomic-embed-text-v1.5", organization: "LM Studio" }],
  },
  localai: {
    reply: data({ id: "my-model" }),
    models: [{ id: "my-model", organization: "LocalAI" }],
  },
  litellm: {
    reply: data({ id: "text-embedding-3-small" }),
    models: [{ id: "text-embedding-3-small", organization: "LiteLLM" }],
  },
  lemonade: {
    path: "/api/v1/models",
    reply: data({ id: "My-Model-GGUF" }, { id: "nomic-embed", labels: ["embeddings"] }),
    models: [{ id: "nomic-embed", organization: "Lemonade" }],
  },
  "generic-openai": {
    reply: data({ id: "bge-m3" }),
    models: [{ id: "bge-m3" }],
  },
};
