// Details of individual vendors' requests.
import { createLanguageModel } from "@carrel/providers";
import { startFakeLlm, type FakeBehaviour } from "@carrel/testing";
import { expect, it, jest } from "@jest/globals";
import { cases, key, run, startVendors } from "./language-model-cases.ts";

jest.setTimeout(60_000);
const fake = await startVendors();
const behave = (behaviour: FakeBehaviour) => fake.behave(behaviour);

it("sends no Authorization header to a server without a key", async () => {
  const open = await startFakeLlm({});
  await run(
    createLanguageModel("generic-openai", {
      GenericOpenAiBasePath: `${open.url}/v1`,
      GenericOpenAiModelPref: "m",
    }),
  );
  expect(open.requests[0]!.headers.authorization).toBeUndefined();
  await open.stop();
});

it("usage is null if the vendor sends none", async () => {
  behave({ usage: false });
  for (const vendor of cases.filter(({ id }) => id === "generic-openai" || id === "ollama")) {
    const { parts } = await run(vendor.make(fake.url));
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "stop", usage: null });
  }
});

it("sends no temperature to reasoning models behind a router", async () => {
  for (const [model, temperature] of [
    ["openai/o3-mini", undefined],
    ["mistral/large", 0.3],
  ] as const) {
    fake.requests.length = 0;
    await run(
      createLanguageModel("generic-openai", {
        GenericOpenAiBasePath: `${fake.url}/v1`,
        GenericOpenAiModelPref: model,
      }),
    );
    expect((fake.requests[0]!.body as { temperature?: number }).temperature).toBe(temperature);
  }
});

it("sends no temperature to OpenAI's reasoning models", async () => {
  await run(
    createLanguageModel(
      "openai",
      { OpenAiKey: key },
      { baseUrl: `${fake.url}/v1`, model: "o3-mini" },
    ),
  );
  expect(fake.requests[0]!.body).not.toHaveProperty("temperature");
  expect(fake.requests[0]!.body.model).toBe("o3-mini");
});

it("anthropic: caches the system prompt if configured and omits empty messages", async () => {
  const model = createLanguageModel(
    "anthropic",
    { AnthropicApiKey: key, AnthropicCacheControl: "1h" },
    { baseUrl: fake.url },
  );
  await run(model, {
    messages: [
      { role: "user", content: "a" },
      { role: "assistant", content: "" },
      { role: "user", content: "b" },
    ],
  });
  expect(fake.requests[0]!.body.system).toEqual([
    { type: "text", text: "Be brief.", cache_control: { type: "ephemeral", ttl: "1h" } },
  ]);
  expect(fake.requests[0]!.body.messages).toHaveLength(2);
});

it("ollama: uses the configured context window and keep-alive", async () => {
  const model = createLanguageModel("ollama", {
    OllamaLLMBasePath: fake.url,
    OllamaLLMModelPref: "llama3",
    OllamaLLMAuthToken: key,
    OllamaLLMTokenLimit: "16384",
    OllamaLLMKeepAliveSeconds: "-1",
  });
  expect(model.contextWindow).toBe(16_384);
  await run(model);
  expect(fake.requests[0]!.body).toMatchObject({ keep_alive: -1, options: { num_ctx: 16_384 } });
});
