// What models refuse and which inputs they accept, against a server that replies with the vendors'
// own messages.
import { createLanguageModel, ProviderError, type LanguageModel } from "@carrel/providers";
import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

let fake: FakeLlm;
beforeAll(async () => {
  fake = await startFakeLlm();
});
afterAll(() => fake.stop());
beforeEach(() => fake.behave({}));

const make = (id: string, model?: string): LanguageModel =>
  createLanguageModel(
    id,
    {
      OpenAiKey: "sk-0123456789",
      AnthropicApiKey: "sk-ant-0123456789",
      OllamaLLMBasePath: fake.url,
      OllamaLLMModelPref: "llama3",
      GenericOpenAiBasePath: `${fake.url}/v1`,
      GenericOpenAiModelPref: "local",
      GenericOpenAiMaxTokens: "512",
    },
    {
      baseUrl: id === "openai" ? `${fake.url}/v1` : fake.url,
      ...(model !== undefined && { model }),
    },
  );
const failureOf = async (model: LanguageModel): Promise<unknown> => {
  try {
    for await (const part of model.stream({
      system: "",
      messages: [{ role: "user", content: "Hello there" }],
      temperature: null,
      signal: new AbortController().signal,
    }))
      void part;
  } catch (error) {
    return error;
  }
  return null;
};

describe.each([
  ["openai", undefined],
  ["generic-openai", 8_192],
  ["anthropic", 200_000],
  ["ollama", undefined],
] as const)("%s", (id, limit) => {
  it("reports a prompt that is too long, and the limit if the vendor names one", async () => {
    fake.behave({ promptLimit: 10 });
    const before = fake.requests.length;
    const error = await failureOf(make(id));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind: "context-length", isRetryable: false });
    expect((error as ProviderError).contextLimit).toBe(limit);
    expect(fake.requests).toHaveLength(before + 1);
  });
});

describe("images", () => {
  const sees = (model: LanguageModel): Promise<boolean | null> =>
    model.supportsImages(new AbortController().signal);

  it.each([
    ["openai", "gpt-4.1-nano", true],
    ["openai", "gpt-4o", true],
    ["openai", "gpt-5-mini", true],
    ["openai", "o3", true],
    ["openai", "gpt-4-turbo", true],
    ["openai", "ft:gpt-4o-mini:mine::abc", true],
    ["openai", "gpt-4", false],
    ["openai", "gpt-4-32k", false],
    ["openai", "gpt-3.5-turbo", false],
    ["openai", "o3-mini", false],
    ["openai", "o1-mini", false],
    ["anthropic", "claude-sonnet-4-6", true],
    ["anthropic", "claude-3-haiku-20240307", true],
    ["anthropic", "claude-2.1", false],
    ["generic-openai", "anything", null],
  ])("%s %s: %s", async (id, model, seen) => {
    expect(await sees(make(id, model))).toBe(seen);
  });

  it("takes Ollama's answer from the model's capabilities, null if it is unreachable", async () => {
    expect(await sees(make("ollama"))).toBe(false);
    fake.behave({ capabilities: ["completion", "vision"] });
    expect(await sees(make("ollama"))).toBe(true);
    expect(
      await sees(
        createLanguageModel("ollama", {
          OllamaLLMBasePath: "http://127.0.0.1:9",
          OllamaLLMModelPref: "llama3",
        }),
      ),
    ).toBeNull();
  });
});

describe("tools", () => {
  it.each([
    ["openai", "gpt-4o", true],
    ["openai", "o1-mini", false],
    ["anthropic", "claude-sonnet-4-6", true],
    ["anthropic", "claude-2.1", false],
    ["generic-openai", "anything", null],
    ["ollama", "llama3", false],
  ])("%s %s: %s", async (id, model, supported) => {
    expect(await make(id, model).supportsTools(new AbortController().signal)).toBe(supported);
  });

  it("takes Ollama's answer from the model's capabilities", async () => {
    fake.behave({ capabilities: ["completion", "tools"] });
    expect(await make("ollama").supportsTools(new AbortController().signal)).toBe(true);
  });
});

it("reports the tokens reserved for the answer", () => {
  expect(make("generic-openai").answerTokens).toBe(512);
  expect(make("anthropic").answerTokens).toBeGreaterThan(0);
  expect(make("openai").answerTokens).toBeNull();
});
