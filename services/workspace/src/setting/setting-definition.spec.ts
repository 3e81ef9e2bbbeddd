import { describe, expect, it } from "@jest/globals";
import { renderFault } from "@carrel/contracts";
import { defaultSetting, settingKinds, validateSetting } from "./setting-definition.ts";

describe("validateSetting, wire-contract.md 11", () => {
  it.each([
    ["LLMProvider", "", "Value cannot be empty"],
    ["LLMProvider", "nobody", "nobody is not a valid LLM provider."],
    ["LLMProvider", "extractive", null],
    ["LLMProvider", "generic-openai", null],
    [
      "EmbeddingEngine",
      "nobody",
      "nobody is not a valid embedding engine. Allowed: native, openai, ollama, generic-openai.",
    ],
    ["EmbeddingEngine", "native", null],
    [
      "VectorDB",
      "elsewhere",
      "elsewhere is not a valid vector database. Allowed: lancedb, qdrant, chroma, chromacloud, pgvector, weaviate, milvus, zilliz, pinecone, astra.",
    ],
    ["VectorDB", "astra", null],
    ["OpenAiKey", "abc", "OpenAI Key must start with sk-"],
    ["QdrantEndpoint", "nowhere", "URL is not a valid URL."],
    ["SomethingElse", "anything", null],
    ["toString", "anything", null],
  ])("%s = %j", (key, value, expected) => {
    const fault = validateSetting(key, value);
    expect(fault === null ? null : renderFault(fault)).toBe(expected);
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
