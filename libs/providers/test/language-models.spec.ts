// Runs every language model against a server that sends the vendors' own bytes
// (libs/testing/src/fakes, which name their sources).
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { startFakeLlm, type FakeBehaviour, type FakeLlm } from "@carrel/testing";
import {
  createLanguageModel,
  ProviderError,
  type LanguageModel,
  type StreamPart,
} from "@carrel/providers";

jest.setTimeout(60_000);
const key = "sk-ant-very-secret-0123456789";
const signal = () => new AbortController().signal;
const ask = {
  system: "Be brief.",
  messages: [{ role: "user" as const, content: "one two three" }],
  temperature: 0.3,
};
let fake: FakeLlm;

const vendors: { id: string; path: string; make(url: string, apiKey?: string): LanguageModel }[] = [
  {
    id: "openai",
    path: "/v1/responses",
    make: (url, apiKey = key) =>
      createLanguageModel(
        "openai",
        { OpenAiKey: apiKey, OpenAiModelPref: "gpt-4o" },
        { baseUrl: `${url}/v1`, limits },
      ),
  },
  {
    id: "generic-openai",
    path: "/v1/chat/completions",
    make: (url, apiKey = key) =>
      createLanguageModel(
        "generic-openai",
        {
          GenericOpenAiBasePath: `${url}/v1`,
          GenericOpenAiKey: apiKey,
          GenericOpenAiModelPref: "local",
        },
        { limits },
      ),
  },
  {
    id: "anthropic",
    path: "/v1/messages",
    make: (url, apiKey = key) =>
      createLanguageModel("anthropic", { AnthropicApiKey: apiKey }, { baseUrl: url, limits }),
  },
  {
    id: "ollama",
    path: "/api/chat",
    make: (url, apiKey = key) =>
      createLanguageModel(
        "ollama",
        { OllamaLLMBasePath: url, OllamaLLMModelPref: "llama3", OllamaLLMAuthToken: apiKey },
        { limits },
      ),
  },
];
const limits = { connectMs: 2_000, firstByteMs: 1_500, idleMs: 1_500 };

async function collect(
  parts: AsyncIterable<StreamPart>,
): Promise<{ parts: StreamPart[]; text: string; error: unknown }> {
  const got: StreamPart[] = [];
  let error: unknown = null;
  try {
    for await (const part of parts) got.push(part);
  } catch (fault) {
    error = fault;
  }
  return {
    parts: got,
    error,
    text: got.map((part) => (part.type === "text-delta" ? part.text : "")).join(""),
  };
}
const errorOf = async (model: LanguageModel): Promise<ProviderError> => {
  const { error } = await collect(model.stream({ ...ask, signal: signal() }));
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
};

beforeAll(async () => {
  fake = await startFakeLlm({ apiKey: key });
});
afterAll(() => fake.stop());
afterEach(() => {
  fake.behave({});
  fake.requests.length = 0;
});
const behave = (behaviour: FakeBehaviour) => fake.behave(behaviour);

describe.each(vendors)("$id", ({ id, path, make }) => {
  it("streams the answer, ends with finish reason and usage, and sends the key and the question", async () => {
    behave({ reply: ["Hel", "lo ", "wörld ✓"] });
    const { parts, text, error } = await collect(
      make(fake.url).stream({ ...ask, signal: signal(), maxTokens: 77 }),
    );
    expect(error).toBeNull();
    expect(text).toBe("Hello wörld ✓");
    expect(parts.filter((part) => part.type === "text-delta")).toHaveLength(3);
    expect(parts.at(-1)).toEqual({
      type: "finish",
      reason: "stop",
      usage: { inputTokens: expect.any(Number), outputTokens: 3 },
    });
    expect((parts.at(-1) as { usage: { inputTokens: number } }).usage.inputTokens).toBeGreaterThan(
      5,
    );
    const [request] = fake.requests;
    expect(request!.path).toBe(path);
    expect(request!.headers.authorization).toBe(`Bearer ${key}`);
    if (id === "anthropic") expect(request!.headers["anthropic-version"]).toBe("2026-10-21");
    const sent = JSON.stringify(request!.body);
    expect(sent).toContain("Be brief.");
    expect(sent).toContain("one two three");
    expect(sent).toContain("77");
    if (id === "anthropic") expect(request!.body).not.toHaveProperty("temperature");
    else expect(sent).toContain("0.3");
    if (id === "openai") expect(request!.body.store).toBe(false);
  });

  it("omits the temperature if none is set", async () => {
    await collect(make(fake.url).stream({ ...ask, temperature: null, signal: signal() }));
    expect(JSON.stringify(fake.requests[0]!.body)).not.toContain("temperature");
  });

  it("returns reasoning as separate parts", async () => {
    behave({ reply: ["Yes."], reasoning: ["Let me ", "think."] });
    const { parts, text } = await collect(make(fake.url).stream({ ...ask, signal: signal() }));
    expect(
      parts.filter((part) => part.type === "reasoning-delta").map((part) => part.text),
    ).toEqual(["Let me ", "think."]);
    expect(text).toBe("Yes.");
  });

  it("sends images in the vendor's format", async () => {
    await collect(
      make(fake.url).stream({
        ...ask,
        messages: [
          {
            role: "user",
            content: "what is this",
            images: [{ mime: "image/png", base64: "aGVsbG8=" }],
          },
        ],
        signal: signal(),
      }),
    );
    const sent = JSON.stringify(fake.requests[0]!.body);
    expect(sent).toContain("aGVsbG8=");
    expect(sent).toContain(
      id === "anthropic"
        ? '"media_type":"image/png"'
        : id === "ollama"
          ? '"images":["aGVsbG8="]'
          : "data:image/png;base64,aGVsbG8=",
    );
  });

  it("maps the length stop reason", async () => {
    behave({ finishReason: "length" });
    const { parts } = await collect(make(fake.url).stream({ ...ask, signal: signal() }));
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "length" });
  });

  it.each([
    ["the socket is torn down", { breakAfter: 2 }],
    ["the connection closes cleanly without the end mark", { endAfter: 2 }],
    ["a frame is not JSON", { malformedAfter: 2 }],
    ["nothing more is sent", { hang: 2 }],
  ])(
    "keeps the text so far and throws broken-stream when %s",
    async (_what, behaviour: FakeBehaviour) => {
      behave({ reply: ["one ", "two ", "three"], delayMs: 5, ...behaviour });
      const { text, error, parts } = await collect(
        make(fake.url).stream({ ...ask, signal: signal() }),
      );
      expect(text).toBe("one two ");
      expect(parts.some((part) => part.type === "finish")).toBe(false);
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ kind: "broken-stream", isRetryable: true });
      expect(fake.requests).toHaveLength(1);
    },
  );

  it("reports the vendor's own message for an error mid-stream", async () => {
    behave({ reply: ["one ", "two"], errorAfter: 1 });
    const { text, error } = await collect(make(fake.url).stream({ ...ask, signal: signal() }));
    expect(text).toBe("one ");
    expect(error).toMatchObject({
      kind: "server",
      message: expect.stringContaining("The fake vendor broke off."),
    });
  });

  it("cancels the vendor's request when the caller aborts", async () => {
    behave({ tokens: 1_000, delayMs: 10 });
    const controller = new AbortController();
    let texts = 0;
    const read = (async () => {
      for await (const part of make(fake.url).stream({ ...ask, signal: controller.signal }))
        if (part.type === "text-delta" && ++texts === 3) controller.abort();
    })();
    await expect(read).rejects.toMatchObject({
      name: "ProviderError",
      kind: "aborted",
      isRetryable: false,
    });
    await expectSoon(() => fake.openStreams() === 0 && fake.requests[0]!.aborted);
    expect(texts).toBeLessThan(10);
  });

  it("cancels the vendor's request when the reader stops reading", async () => {
    behave({ tokens: 1_000, delayMs: 10 });
    for await (const part of make(fake.url).stream({ ...ask, signal: signal() }))
      if (part.type === "text-delta") break;
    await expectSoon(() => fake.openStreams() === 0 && fake.requests[0]!.aborted);
  });

  it("sends nothing if aborted beforehand", async () => {
    const error = (await collect(make(fake.url).stream({ ...ask, signal: AbortSignal.abort() })))
      .error;
    expect(error).toMatchObject({ kind: "aborted" });
    expect(fake.requests).toHaveLength(0);
  });

  it("401: says that the key was rejected, without showing it, and does not retry", async () => {
    const error = await errorOf(make(fake.url, "sk-ant-wrong-key-987654321"));
    expect(error).toMatchObject({ kind: "authentication", statusCode: 401, isRetryable: false });
    expect(error.message).not.toContain("wrong-key");
    expect(fake.requests).toHaveLength(1);
  });

  it("429 with a short retry-after: waits, retries once, answers", async () => {
    fake.next({ status: 429, retryAfter: 1 });
    const started = performance.now();
    const { error, text } = await collect(make(fake.url).stream({ ...ask, signal: signal() }));
    expect(error).toBeNull();
    expect(text).not.toBe("");
    expect(performance.now() - started).toBeGreaterThan(950);
    expect(fake.requests).toHaveLength(2);
  });

  it("429 with a long retry-after: fails immediately", async () => {
    behave({ status: 429, retryAfter: 60 });
    expect(await errorOf(make(fake.url))).toMatchObject({
      kind: "rate-limit",
      statusCode: 429,
      retryAfterMs: 60_000,
      isRetryable: true,
    });
    expect(fake.requests).toHaveLength(1);
  });

  it("503 twice: retries once, then reports a server error", async () => {
    behave({ status: 503, error: { message: `upstream said ${key}` } });
    const error = await errorOf(make(fake.url));
    expect(error).toMatchObject({ kind: "server", statusCode: 503, isRetryable: true });
    expect(error.message).not.toContain(key);
    expect(fake.requests).toHaveLength(2);
  });

  it("reports a prompt that is too long", async () => {
    const message =
      id === "anthropic"
        ? "prompt is too long: 210000 tokens > 200000 maximum"
        : "This model's maximum context length is 8192 tokens.";
    behave({
      status: 400,
      error: { message, code: id.includes("openai") ? "context_length_exceeded" : null },
    });
    expect(await errorOf(make(fake.url))).toMatchObject({
      kind: "context-length",
      isRetryable: false,
    });
  });

  it("reports an unknown model", async () => {
    behave({ status: 404, error: { message: 'model "x" not found' } });
    expect(await errorOf(make(fake.url))).toMatchObject({
      kind: "not-found",
      message: expect.stringContaining('model "x" not found'),
    });
  });

  it("times out without response headers", async () => {
    behave({ hang: "headers" });
    expect(await errorOf(make(fake.url))).toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("did not answer in time"),
    });
  });

  it("names the address when nothing listens there", async () => {
    const error = await errorOf(make("http://127.0.0.1:2"));
    expect(error).toMatchObject({ kind: "unreachable", isRetryable: true });
    expect(error.message).toContain("http://127.0.0.1:2 (nothing listens there)");
  });

  it("refuses metadata addresses", async () => {
    expect(await errorOf(make("http://169.254.169.254"))).toMatchObject({
      kind: "unreachable",
      isRetryable: false,
    });
  });
});

async function expectSoon(condition: () => boolean): Promise<void> {
  const end = Date.now() + 2_000;
  while (!condition() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
}

it("sends no Authorization header to a server without a key", async () => {
  const open = await startFakeLlm({});
  await collect(
    createLanguageModel("generic-openai", {
      GenericOpenAiBasePath: `${open.url}/v1`,
      GenericOpenAiModelPref: "m",
    }).stream({ ...ask, signal: signal() }),
  );
  expect(open.requests[0]!.headers.authorization).toBeUndefined();
  await open.stop();
});

it("usage is null if the vendor sends none", async () => {
  behave({ usage: false });
  for (const vendor of vendors.filter(({ id }) => id === "generic-openai" || id === "ollama")) {
    const { parts } = await collect(vendor.make(fake.url).stream({ ...ask, signal: signal() }));
    expect(parts.at(-1)).toEqual({ type: "finish", reason: "stop", usage: null });
  }
});

it("sends no temperature to reasoning models behind a router", async () => {
  for (const [model, temperature] of [
    ["openai/o3-mini", undefined],
    ["mistral/large", 0.3],
  ] as const) {
    fake.requests.length = 0;
    await collect(
      createLanguageModel("generic-openai", {
        GenericOpenAiBasePath: `${fake.url}/v1`,
        GenericOpenAiModelPref: model,
      }).stream({ ...ask, signal: signal() }),
    );
    expect((fake.requests[0]!.body as { temperature?: number }).temperature).toBe(temperature);
  }
});

it("sends no temperature to OpenAI's reasoning models", async () => {
  await collect(
    createLanguageModel(
      "openai",
      { OpenAiKey: key },
      { baseUrl: `${fake.url}/v1`, model: "o3-mini" },
    ).stream({ ...ask, signal: signal() }),
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
  await collect(
    model.stream({
      ...ask,
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: "" },
        { role: "user", content: "b" },
      ],
      signal: signal(),
    }),
  );
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
  await collect(model.stream({ ...ask, signal: signal() }));
  expect(fake.requests[0]!.body).toMatchObject({ keep_alive: -1, options: { num_ctx: 16_384 } });
});
