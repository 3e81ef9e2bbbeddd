import { openAiEmbeddings } from "../openai/embedding-protocol.ts";
import { readNumber, readText } from "../openai/model-listing.ts";
import { keyField, modelField, timeoutField, type ChatPreset } from "./chat-vendor.ts";
import { embeddingKey, embeddingModel, outputDimensions } from "./embedding-vendor.ts";

/** Names of models that aren't for chat: CometAPI's list says nothing else about its models. */
const otherPurposes =
  /dall-e|flux|sora|veo|kling|suno|midjourney|mj_|embed|whisper|tts|image|video|audio|realtime|rerank|moderation/i;

/**
 * Vendors that pass questions on to other vendors; addresses and lists from their API references
 * (openrouter.ai/docs, apipie.ai/docs, docs.cometapi.com; 2025 and 2026).
 */
export const modelRouters: readonly ChatPreset[] = [
  {
    id: "openrouter",
    name: "OpenRouter",
    group: "hosted",
    dataPolicyUrl: "https://openrouter.ai/privacy",
    keyUrl: "https://openrouter.ai/settings/keys",
    baseUrl: "https://openrouter.ai/api/v1",
    fields: [
      keyField("OpenRouterApiKey"),
      modelField("OpenRouterModelPref", "openrouter/auto"),
      timeoutField("OpenRouterTimeout"),
    ],
    contextWindow: 128_000,
    list: { isPublic: true },
    dialect: { effortFields: (effort) => ({ reasoning: { effort } }) },
    supports: { files: true },
    embedder: {
      baseUrl: "https://openrouter.ai/api/v1",
      protocol: openAiEmbeddings({
        inputTypes: { passage: "search_document", query: "search_query" },
      }),
      fields: [embeddingKey("OpenRouterApiKey"), embeddingModel("baai/bge-m3"), outputDimensions],
      longest: 8_191,
      batch: 500,
      batchTokens: 300_000,
      list: { path: "embeddings/models", isPublic: true },
    },
  },
  {
    id: "apipie",
    name: "APIpie",
    group: "hosted",
    dataPolicyUrl: "https://apipie.ai/terms",
    keyUrl: "https://apipie.ai",
    baseUrl: "https://apipie.ai/v1",
    fields: [
      keyField("ApipieLLMApiKey"),
      modelField("ApipieLLMModelPref", "openrouter/mistral-7b-instruct"),
    ],
    list: {
      isPublic: true,
      keep: ({ subtype }) => typeof subtype === "string" && subtype.includes("chat"),
      // It routes by provider and model; its own ids name only the model.
      describe: (entry) => {
        const provider = readText(entry, ["provider"]) ?? "APIpie";
        const id = `${provider}/${readText(entry, ["model"]) ?? entry.id}`;
        const tokens = readNumber(entry, ["max_tokens"]);
        return {
          id,
          name: id,
          organization: provider,
          ...(tokens !== undefined && { maxLength: tokens, contextWindow: tokens }),
        };
      },
    },
  },
  {
    id: "cometapi",
    name: "CometAPI",
    group: "hosted",
    keyUrl: "https://api.cometapi.com/console/token",
    baseUrl: "https://api.cometapi.com/v1",
    fields: [
      keyField("CometApiLLMApiKey"),
      modelField("CometApiLLMModelPref", "gpt-5-mini"),
      timeoutField("CometApiLLMTimeout"),
    ],
    contextWindow: 128_000,
    list: { isPublic: true, keep: ({ id }) => !otherPurposes.test(id) },
  },
];
