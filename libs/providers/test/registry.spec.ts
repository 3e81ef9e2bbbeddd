import {
  checkSettingField,
  providerDeclaration,
  quotingProvider,
  renderFault,
} from "@carrel/contracts";
import {
  createEmbeddingModel,
  createLanguageModel,
  dictationProviders,
  embeddingProviders,
  findModelList,
  languageProviders,
  providerFields,
  speechProviders,
  transcriptionProviders,
  vendors,
  type ListedModel,
  type Settings,
} from "@carrel/providers";
import { startFakeLlm } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";

const listModels = (
  id: string,
  settings: Settings,
  options?: { baseUrl?: string },
): Promise<ListedModel[]> => findModelList(id)!.fetch(settings, options);

const fieldsOf = (key: string) => providerFields.filter((field) => field.key === key);

describe("setting validation, wire-contract.md 11", () => {
  it.each<[string, string, string | null]>([
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
    ["EmbeddingBasePath", "", "Value cannot be empty"],
    ["EmbeddingModelPref", "", "Value cannot be empty"],
    ["EmbeddingModelPref", "anything", null],
    ["EmbeddingModelMaxChunkLength", "", "Value must be a number"],
    ["EmbeddingOutputDimensions", "", null],
    ["EmbeddingOutputDimensions", "0", "Value must be greater than zero"],
    ["OllamaLLMModelPref", "", null],
    ["OllamaLLMKeepAliveSeconds", "-1", null],
    ["OllamaLLMKeepAliveSeconds", "long", "Value must be a number"],
    ["TTSOpenAIKey", "abc", "OpenAI Key must start with sk-"],
    ["TTSOpenAIVoiceModel", "robot", "robot isn't one of alloy, echo, fable, onyx, nova, shimmer."],
    ["TTSElevenLabsKey", "", "Value cannot be empty"],
    ["TTSElevenLabsVoiceModel", "", "Value cannot be empty"],
    ["TTSOpenAICompatibleEndpoint", "nowhere", "URL is not a valid URL."],
    ["TTSOpenAICompatibleVoiceModel", "", "Value cannot be empty"],
    ["TTSKokoroEndpoint", "nowhere", "URL is not a valid URL."],
    ["TTSKokoroVoiceModel", "", "Value cannot be empty"],
    ["STTDeepgramApiKey", "", "Value cannot be empty"],
    ["STTDeepgramModel", "", "Value cannot be empty"],
    ["WhisperGenericOpenAiBaseUrl", "nowhere", "URL is not a valid URL."],
    ["WhisperGenericOpenAiModel", "", "Value cannot be empty"],
    ["AnthropicCacheControl", "5m", null],
    ["AnthropicCacheControl", "9m", "9m isn't one of none, 5m, 1h."],
  ])("%s = %j", (key, value, expected) => {
    const results = fieldsOf(key)
      .map((field) => checkSettingField(field, value))
      .map((fault) => (fault === null ? null : renderFault(fault)));
    expect(new Set(results)).toEqual(new Set([expected]));
  });
});

describe("the registry", () => {
  it("contains every vendor once", () => {
    const ids = vendors.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("creates a model for every language provider that doesn't quote", () => {
    for (const { id, language } of vendors)
      if (language)
        expect([id, language.create === undefined]).toEqual([id, id === quotingProvider]);
  });

  it("declares forms that match their schema", () => {
    for (const declaration of [
      ...languageProviders,
      ...embeddingProviders,
      ...speechProviders,
      ...dictationProviders,
      ...transcriptionProviders,
    ])
      expect(providerDeclaration.parse(declaration)).toEqual(declaration);
    expect(languageProviders[0]!.id).toBe("extractive");
    expect(embeddingProviders[0]!.id).toBe("native");
  });

  it("treats every key and token as secret", () => {
    for (const field of providerFields)
      expect([field.key, field.kind === "secret"]).toEqual([
        field.key,
        /key$|token$|AccessKeyId$/i.test(field.key),
      ]);
  });
});

it("names the missing setting instead of creating a model", () => {
  for (const id of [...languageProviders.map((provider) => provider.id), "nobody"])
    expect(() => createLanguageModel(id, {})).toThrow(
      expect.objectContaining({ name: "ProviderError", kind: "invalid" }),
    );
  for (const id of [...embeddingProviders.slice(1).map((provider) => provider.id), "nobody"])
    expect(() => createEmbeddingModel(id, {}, { modelsDir: "/nowhere" })).toThrow(
      expect.objectContaining({ kind: "invalid" }),
    );
  expect(() =>
    createLanguageModel("ollama", { OllamaLLMBasePath: "ftp://x", OllamaLLMModelPref: "m" }),
  ).toThrow(expect.objectContaining({ kind: "invalid" }));
});

describe("listModels", () => {
  it("returns the wire format for every vendor", async () => {
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

  it("offers six well-known OpenAI models without a key", async () => {
    expect(await listModels("openai", {})).toHaveLength(6);
    expect(await listModels("native-embedder", {})).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: "Xenova/all-MiniLM-L6-v2" })]),
    );
    expect(findModelList("nobody")).toBeUndefined();
    expect(findModelList("native")).toBeUndefined();
  });
});
