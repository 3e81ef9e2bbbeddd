import { describe, expect, it } from "@jest/globals";
import { providerDeclaration } from "@carrel/contracts";
import { startFakeLlm } from "@carrel/testing";
import {
  createEmbeddingModel,
  createLanguageModel,
  embeddingProviders,
  languageProviders,
  listModels,
  secretSettingKeys,
  validateSetting,
  vectorProviders,
} from "@carrel/providers";

describe("validateSetting, wire-contract.md 11", () => {
  it.each([
    ["LLMProvider", "", "Value cannot be empty"],
    ["LLMProvider", "nobody", "nobody is not a valid LLM provider."],
    ["LLMProvider", "extractive", null],
    ["LLMProvider", "generic-openai", null],
    ["OpenAiKey", "", "Value cannot be empty"],
    ["OpenAiKey", "abc", "OpenAI Key must start with sk-"],
    ["OpenAiKey", "sk-abc", null],
    ["AnthropicApiKey", "sk-abc", "Anthropic Key must start with sk-ant-"],
    ["AnthropicApiKey", "sk-ant-abc", null],
    ["GenericOpenAiBasePath", "not a url", "URL is not a valid URL."],
    ["GenericOpenAiBasePath", "file:///etc/passwd", "URL is not a valid URL."],
    ["GenericOpenAiBasePath", "http://127.0.0.1:8080/v1", null],
    ["GenericOpenAiTokenLimit", "x", "Value must be a number"],
    ["GenericOpenAiTokenLimit", "", "Value must be a number"],
    ["GenericOpenAiTokenLimit", "0", "Value must be greater than zero"],
    ["GenericOpenAiTokenLimit", "4096", null],
    ["GenericOpenAiKey", "", null],
    ["OllamaLLMBasePath", "", "Value cannot be empty"],
    ["OllamaLLMBasePath", "http://127.0.0.1:11434/", "URL cannot end with a slash"],
    ["OllamaLLMBasePath", "http://127.0.0.1:11434", null],
    ["OllamaLLMTokenLimit", "", null],
    ["QdrantEndpoint", "nowhere", "URL is not a valid URL."],
    ["SomethingElse", "anything", null],
    ["toString", "anything", null],
  ])("%s = %j", (key, value, expected) => expect(validateSetting(key, value)).toBe(expected));
});

it("declarations meet their schema, and every field has a check", () => {
  for (const declaration of [...languageProviders, ...embeddingProviders, ...vectorProviders])
    expect(providerDeclaration.parse(declaration)).toEqual(declaration);
  expect(languageProviders.map(({ id }) => id)).toEqual([
    "extractive",
    "openai",
    "anthropic",
    "ollama",
    "generic-openai",
  ]);
  expect([...secretSettingKeys].sort()).toEqual([
    "AnthropicApiKey",
    "AstraDBApplicationToken",
    "ChromaApiKey",
    "ChromaCloudApiKey",
    "GenericOpenAiEmbeddingApiKey",
    "GenericOpenAiKey",
    "MilvusPassword",
    "OllamaLLMAuthToken",
    "OpenAiKey",
    "PGVectorConnectionString",
    "PineConeKey",
    "QdrantApiKey",
    "WeaviateApiKey",
    "ZillizApiToken",
  ]);
});

it("models are refused with words when a setting is missing, and extractive is not made here", () => {
  for (const id of ["openai", "anthropic", "ollama", "generic-openai", "extractive", "nobody"])
    expect(() => createLanguageModel(id, {})).toThrow(
      expect.objectContaining({ name: "ProviderError", kind: "invalid" }),
    );
  for (const id of ["openai", "ollama", "generic-openai", "nobody"])
    expect(() => createEmbeddingModel(id, {}, { modelsDir: "/nowhere" })).toThrow(
      expect.objectContaining({ kind: "invalid" }),
    );
  expect(() =>
    createLanguageModel("ollama", { OllamaLLMBasePath: "ftp://x", OllamaLLMModelPref: "m" }),
  ).toThrow(expect.objectContaining({ kind: "invalid" }));
});

describe("listModels", () => {
  it("gives each vendor's list in the wire's form", async () => {
    const fake = await startFakeLlm({ apiKey: "sk-ant-k" });
    const openai = await listModels(
      "openai",
      { OpenAiKey: "sk-ant-k" },
      { baseUrl: `${fake.url}/v1` },
    );
    expect(openai.map(({ id, organization }) => `${organization}/${id}`)).toEqual([
      "OpenAi/gpt-4.1-nano",
      "OpenAi/gpt-4o",
      "OpenAi/o3-mini",
      "Your Fine-Tunes/ft:gpt-4o-mini:mine::abc",
    ]);
    expect(
      await listModels("anthropic", { AnthropicApiKey: "sk-ant-k" }, { baseUrl: fake.url }),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: "claude-sonnet-4-6", name: "Claude Sonnet 4.6" }),
      ]),
    );
    expect(
      await listModels("ollama", { OllamaLLMBasePath: fake.url, OllamaLLMAuthToken: "sk-ant-k" }),
    ).toEqual([{ id: "llama3:latest" }, { id: "qwen3:8b" }]);
    expect(
      await listModels("generic-openai", {
        GenericOpenAiBasePath: `${fake.url}/v1`,
        GenericOpenAiKey: "sk-ant-k",
      }),
    ).toHaveLength(8);
    await expect(
      listModels("openai", { OpenAiKey: "sk-bad-key" }, { baseUrl: `${fake.url}/v1` }),
    ).rejects.toMatchObject({ kind: "authentication" });
    await fake.stop();
  });

  it("without a key: six static models of OpenAI; unknown providers are refused in the wire's words", async () => {
    expect(await listModels("openai", {})).toHaveLength(6);
    expect(await listModels("native-embedder", {})).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: "Xenova/all-MiniLM-L6-v2" })]),
    );
    await expect(listModels("nobody", {})).rejects.toThrow("Invalid provider for custom models");
  });
});
