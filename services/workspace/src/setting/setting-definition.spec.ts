import { renderFault, searchProviders, settingLabels } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import {
  allProviders,
  defaultSetting,
  settingKinds,
  validateSetting,
} from "./setting-definition.ts";

describe("validateSetting, wire-contract.md 11", () => {
  it.each([
    ["LLMProvider", "", "Value cannot be empty"],
    ["LLMProvider", "nobody", "nobody is not a valid LLM provider."],
    ["LLMProvider", "extractive", null],
    ["LLMProvider", "generic-openai", null],
    [
      "EmbeddingEngine",
      "nobody",
      "Invalid Embedding model type. Must be one of native, openai, azure, gemini, cohere, voyageai, mistral, openrouter, ollama, lmstudio, localai, litellm, lemonade, generic-openai.",
    ],
    ["EmbeddingEngine", "native", null],
    ["EmbeddingEngine", "voyageai", null],
    ["VoyageAiApiKey", "", "Value cannot be empty"],
    ["EmbeddingBasePath", "http://169.254.169.254", "the cloud's metadata service"],
    [
      "VectorDB",
      "elsewhere",
      "elsewhere is not a valid vector database. Allowed: lancedb, qdrant, chroma, chromacloud, pgvector, weaviate, milvus, zilliz, pinecone, astra.",
    ],
    ["VectorDB", "astra", null],
    ["OpenAiKey", "abc", "OpenAI Key must start with sk-"],
    ["LMStudioBasePath", "nowhere", "Not a valid URL"],
    ["LMStudioBasePath", "http://127.0.0.1:1234", "URL must include /v1"],
    ["LMStudioBasePath", "http://127.0.0.1:1234/v1/", "URL cannot end with a slash"],
    ["LMStudioBasePath", "http://127.0.0.1:1234/v1", null],
    [
      "LMStudioBasePath",
      "http://169.254.169.254/v1",
      "This address belongs to the cloud's metadata service",
    ],
    ["OllamaLLMBasePath", "nowhere", "Not a valid URL"],
    ["HuggingFaceLLMEndpoint", "http://127.0.0.1", 'Your HF Endpoint should end in ".cloud"'],
    ["HuggingFaceLLMEndpoint", "https://me.endpoints.huggingface.cloud", null],
    ["AzureOpenAiTokenLimit", "many", "Token limit is not a number"],
    ["AzureOpenAiTokenLimit", "200000", null],
    ["AzureOpenAiModelType", "other", "Invalid model type. Must be one of: default, reasoning."],
    [
      "GeminiSafetySetting",
      "BLOCK_ALL",
      "Invalid Safety setting. Must be one of BLOCK_NONE, BLOCK_ONLY_HIGH, BLOCK_MEDIUM_AND_ABOVE, BLOCK_LOW_AND_ABOVE.",
    ],
    ["OpenRouterTimeout", "500", null],
    ["AwsBedrockLLMSessionToken", "", "Value cannot be empty"],
    ["QdrantEndpoint", "nowhere", "URL is not a valid URL."],
    ["SomethingElse", "anything", null],
    ["toString", "anything", null],
  ])("%s = %j", (key, value, expected) => {
    const fault = validateSetting(key, value);
    if (expected === null) expect(fault).toBeNull();
    else expect(renderFault(fault!)).toContain(expected);
  });
});

it("defaults to providers that need no setup", () => {
  expect(["LLMProvider", "EmbeddingEngine", "VectorDB"].map(defaultSetting)).toEqual([
    "extractive",
    "native",
    "lancedb",
  ]);
  expect(defaultSetting("OpenAiKey")).toBe("");
});

it("distinguishes secrets from plain settings", () => {
  expect(settingKinds.get("OpenAiKey")).toBe("secret");
  expect(settingKinds.get("PGVectorConnectionString")).toBe("secret");
  expect(settingKinds.get("VectorDB")).toBe("plain");
  expect(settingKinds.get("ChromaApiHeader")).toBe("plain");
});

it("knows no caption that no field has", () => {
  const used = new Set(
    [...allProviders, ...searchProviders].flatMap(({ fields }) => fields.map(({ label }) => label)),
  );
  expect(settingLabels.filter((label) => !used.has(label))).toEqual([]);
});
