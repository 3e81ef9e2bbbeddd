// Environment variables meant for other programs must not reach a vendor: only the settings decide.
import { createEmbeddingModel, createLanguageModel, type LanguageModel } from "@carrel/providers";
import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";

const leaks: Record<string, string> = {
  OPENAI_API_KEY: "leaked-key",
  OPENAI_ADMIN_KEY: "leaked-admin",
  OPENAI_ORG_ID: "leaked-organization",
  OPENAI_PROJECT_ID: "leaked-project",
  OPENAI_BASE_URL: "http://127.0.0.1:9/leaked",
  OPENAI_WEBHOOK_SECRET: "leaked-webhook",
  OPENAI_LOG: "debug",
  OPENAI_CUSTOM_HEADERS:
    "X-Leaked: leaked-header\nAuthorization: Bearer leaked-authorization\nOpenAI-Organization: leaked-organization",
  ANTHROPIC_CUSTOM_HEADERS:
    "X-Leaked: leaked-header\nX-Api-Key: leaked-key\nAuthorization: Bearer leaked-authorization",
  ANTHROPIC_API_KEY: "leaked-key",
  ANTHROPIC_AUTH_TOKEN: "leaked-token",
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
  ANTHROPIC_LOG: "debug",
  OLLAMA_API_KEY: "leaked-key",
  OLLAMA_HOST: "http://127.0.0.1:9",
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  ALL_PROXY: "http://127.0.0.1:9",
};
const before = Object.fromEntries(Object.keys(leaks).map((name) => [name, process.env[name]]));
const limits = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000 };
let fake: FakeLlm;
beforeAll(async () => {
  fake = await startFakeLlm({ reply: "Fine." });
  Object.assign(process.env, leaks);
});
afterAll(async () => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await fake.stop();
});

const vendors: {
  id: string;
  key: string | undefined;
  make(key: string | undefined): LanguageModel;
}[] = [
  {
    id: "openai",
    key: "own-key",
    make: (key) =>
      createLanguageModel(
        "openai",
        { OpenAiKey: key!, OpenAiModelPref: "gpt-4o" },
        { baseUrl: `${fake.url}/v1`, limits },
      ),
  },
  {
    id: "generic-openai",
    key: "own-key",
    make: (key) =>
      createLanguageModel(
        "generic-openai",
        {
          GenericOpenAiBasePath: `${fake.url}/v1`,
          GenericOpenAiKey: key!,
          GenericOpenAiModelPref: "local",
        },
        { limits },
      ),
  },
  {
    id: "generic-openai",
    key: undefined,
    make: () =>
      createLanguageModel(
        "generic-openai",
        { GenericOpenAiBasePath: `${fake.url}/v1`, GenericOpenAiModelPref: "local" },
        { limits },
      ),
  },
  {
    id: "anthropic",
    key: "own-key",
    make: (key) =>
      createLanguageModel("anthropic", { AnthropicApiKey: key! }, { baseUrl: fake.url, limits }),
  },
  {
    id: "ollama",
    key: "own-key",
    make: (key) =>
      createLanguageModel(
        "ollama",
        { OllamaLLMBasePath: fake.url, OllamaLLMModelPref: "llama3", OllamaLLMAuthToken: key! },
        { limits },
      ),
  },
  {
    id: "ollama",
    key: undefined,
    make: () =>
      createLanguageModel(
        "ollama",
        { OllamaLLMBasePath: fake.url, OllamaLLMModelPref: "llama3" },
        { limits },
      ),
  },
];

it.each(vendors)(
  "$id with the key $key sends nothing from the environment",
  async ({ key, make }) => {
    fake.requests.length = 0;
    let text = "";
    for await (const part of make(key).stream({
      system: "",
      messages: [{ role: "user", content: "Hello" }],
      temperature: null,
      signal: new AbortController().signal,
    }))
      if (part.type === "text-delta") text += part.text;
    expect(text).toBe("Fine.");
    expect(fake.requests).not.toHaveLength(0);
    for (const request of fake.requests) {
      expect(JSON.stringify([request.headers, request.body, request.path])).not.toMatch(/leaked/i);
      expect([request.headers.authorization, request.headers["x-api-key"]]).toEqual([
        key && `Bearer ${key}`,
        undefined,
      ]);
    }
  },
);

it("embedders send nothing from the environment either", async () => {
  fake.requests.length = 0;
  for (const [id, settings] of [
    ["generic-openai", { EmbeddingBasePath: `${fake.url}/v1`, EmbeddingModelPref: "fake" }],
    ["ollama", { EmbeddingBasePath: fake.url, EmbeddingModelPref: "fake" }],
  ] as const) {
    await createEmbeddingModel(id, settings, { modelsDir: "/nonexistent" }).embed(
      ["text"],
      "query",
      new AbortController().signal,
    );
  }
  expect(fake.requests).toHaveLength(2);
  expect(JSON.stringify(fake.requests)).not.toMatch(/leaked/i);
});
