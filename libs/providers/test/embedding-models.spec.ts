// What every embedder behind an address does, against fakes of the vendors' protocols.
import { ProviderError, type EmbeddingModel } from "@carrel/providers";
import { fakeEmbedding, poll, startFakeLlm, type FakeBehaviour } from "@carrel/testing";
import { afterAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { cases, key, modelKey } from "./embedding-cases.ts";

jest.setTimeout(60_000);
const fake = await startFakeLlm({ apiKey: key });
afterAll(() => fake.stop());
beforeEach(() => {
  fake.behave({});
  fake.requests.length = 0;
});

const { signal } = new AbortController();
const near = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * b[place]!, 0);
const embed = (model: EmbeddingModel, ...texts: string[]) => model.embed(texts, "passage", signal);

/** The error of a call that must fail. */
async function errorOf(model: EmbeddingModel, behaviour: FakeBehaviour = {}, text = "a") {
  fake.behave(behaviour);
  const error: unknown = await embed(model, text, "b").catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}

describe.each(cases)("$id", (vendor) => {
  const { path, make, textsOf, inputTypeOf, inputTypes, dimensionsOf } = vendor;

  it("embeds a text, and reports the tokens that the vendor counted", async () => {
    const model = make(fake.url);
    let tokens = 0;
    const [vector] = await model.embed(["red fox"], "passage", signal, (some) => {
      tokens += some;
    });
    expect(near(vector!, fakeEmbedding("red fox"))).toBeCloseTo(1, 5);
    expect(model).toMatchObject({ provider: vendor.id, dimensions: 384 });
    expect(tokens).toBeGreaterThan(0);
    expect(fake.requests.map((request) => request.path)).toEqual([path]);
  });

  it("cuts many texts into batches, and keeps their order", async () => {
    const model = make(fake.url);
    const texts = Array.from({ length: model.batchSize * 2 + 1 }, (_, place) => `text ${place}`);
    const vectors = await embed(model, ...texts);
    expect(vectors).toHaveLength(texts.length);
    for (const [place, vector] of vectors.entries())
      expect(near(vector, fakeEmbedding(texts[place]!))).toBeCloseTo(1, 5);
    expect(fake.requests.map(({ body }) => textsOf(body).length)).toEqual([
      model.batchSize,
      model.batchSize,
      1,
    ]);
  });

  it("stays below the vendor's limit on tokens, whatever the texts", async () => {
    const model = make(fake.url);
    const texts = Array.from({ length: 40 }, (_, place) => `${place} `.repeat(2_000));
    expect(await embed(model, ...texts)).toHaveLength(texts.length);
  });

  it("distinguishes questions from passages if the vendor does", async () => {
    const model = make(fake.url);
    await model.embed(["a"], "passage", signal);
    await model.embed(["a"], "query", signal);
    expect(fake.requests.map(({ body }) => inputTypeOf(body))).toEqual(
      inputTypes ?? [undefined, undefined],
    );
  });

  it("says that the key was rejected, without showing it, and doesn't retry", async () => {
    const error = await errorOf(make(fake.url, {}, "sk-wrong-key-987654321"));
    expect(error).toMatchObject({ kind: "authentication", isRetryable: false });
    expect(error.message).not.toContain("wrong-key");
    expect(fake.requests).toHaveLength(1);
  });

  it("reports an unknown model, and doesn't retry", async () => {
    const error = await errorOf(make(fake.url, { [modelKey(vendor)]: "unknown" }));
    expect(error).toMatchObject({ kind: "not-found", isRetryable: false });
    expect(fake.requests).toHaveLength(1);
  });

  it("reports a rate limit with the time the vendor asks for", async () => {
    const error = await errorOf(make(fake.url), { status: 429, retryAfter: 60 });
    expect(error).toMatchObject({ kind: "rate-limit", retryAfterMs: 60_000, isRetryable: true });
    expect(fake.requests).toHaveLength(1);
  });

  it("waits as long as the vendor asks for if that is short, then continues", async () => {
    fake.next({ status: 429, retryAfter: 0 });
    expect(await embed(make(fake.url), "a")).toHaveLength(1);
    expect(fake.requests).toHaveLength(2);
  });

  it("retries a failure once", async () => {
    const error = await errorOf(make(fake.url), {
      status: 503,
      retryAfter: 0,
      error: { message: `upstream said ${key}` },
    });
    expect(error).toMatchObject({ kind: "server", isRetryable: true });
    expect(error.message).not.toContain(key);
    expect(fake.requests).toHaveLength(2);
  });

  it("reports a text that is too long", async () => {
    const error = await errorOf(make(fake.url), { textLimit: 50 }, "x".repeat(60));
    expect(error).toMatchObject({ kind: "context-length", isRetryable: false });
    expect(error.fault.code).toBe("provider.text-too-long");
  });

  it.each([
    ["{}", "provider.vectors-missing"],
    ['{"data":[{}],"embeddings":[{}]}', "provider.vectors-missing"],
  ])("reports the reply %s", async (rawReply, code) => {
    expect((await errorOf(make(fake.url), { rawReply })).fault.code).toBe(code);
  });

  it("reports vectors that are missing", async () => {
    const { fault } = await errorOf(make(fake.url), { leavesOneOut: true });
    expect(fault.code).toBe("provider.vectors-missing");
  });

  it("ends the call when it is stopped", async () => {
    fake.behave({ hang: "headers" });
    const controller = new AbortController();
    const embedding = make(fake.url).embed(["a"], "passage", controller.signal);
    embedding.catch(() => undefined);
    await poll(() => fake.requests).toHaveLength(1);
    controller.abort();
    await expect(embedding).rejects.toMatchObject({ kind: "aborted" });
    await poll(() => fake.requests[0]!.aborted).toBe(true);
  });

  if (dimensionsOf)
    it("asks for shorter vectors, and reports others", async () => {
      const shorter = make(fake.url, { EmbeddingOutputDimensions: "256" });
      expect(shorter.dimensions).toBe(256);
      expect(shorter.vectorSpace).toMatch(/:256$/);
      expect((await embed(shorter, "a"))[0]).toHaveLength(256);
      expect(dimensionsOf(fake.requests[0]!.body)).toBe(256);
      const error = await errorOf(shorter, { embeddingLength: 7 });
      expect(error).toMatchObject({
        kind: "invalid",
        isRetryable: false,
        fault: { code: "provider.vector-length-wrong", params: { length: 7, expected: 256 } },
      });
    });

  if (path.endsWith("/embeddings"))
    it("accepts vectors as base64", async () => {
      fake.behave({ sendsBase64: true });
      const [vector] = await embed(make(fake.url), "green hill");
      expect(near(vector!, fakeEmbedding("green hill"))).toBeCloseTo(1, 5);
    });
});

describe("whatever the vendor", () => {
  const { make } = cases[0]!;

  it("names the address when the connection is refused", async () => {
    const error = await errorOf(make("http://127.0.0.1:2"));
    expect(error).toMatchObject({ kind: "unreachable", isRetryable: true });
    expect(error.message).toContain("http://127.0.0.1:2 (connection refused)");
  });

  it("reports a reply that isn't JSON, such as a proxy's page", async () => {
    const error = await errorOf(make(fake.url), { rawReply: "<html>gateway</html>" });
    expect(error).toMatchObject({ kind: "server", fault: { code: "provider.reply-unreadable" } });
    expect(fake.requests).toHaveLength(2);
  });
});

describe("prefixes", () => {
  const textOf = async (
    id: string,
    settings: Record<string, string>,
    kind: "passage" | "query",
  ) => {
    const { make, textsOf } = cases.find((each) => each.id === id)!;
    await make(fake.url, settings).embed(["fox"], kind, signal);
    return textsOf(fake.requests.at(-1)!.body)[0];
  };

  it.each([
    ["nomic-embed-text:v1.5", "search_document: fox", "search_query: fox"],
    ["text-embedding-nomic-embed-text-v1.5", "search_document: fox", "search_query: fox"],
    ["multilingual-e5-large", "passage: fox", "query: fox"],
    ["embeddinggemma:300m", "title: none | text: fox", "task: search result | query: fox"],
    ["mxbai-embed-large", "fox", "Represent this sentence for searching relevant passages: fox"],
    ["snowflake-arctic-embed2", "fox", "query: fox"],
    ["bge-m3", "fox", "fox"],
    ["all-minilm", "fox", "fox"],
  ])("of %s are added for servers that don't", async (model, passage, query) => {
    for (const id of ["ollama", "lmstudio", "localai", "lemonade"]) {
      expect(await textOf(id, { EmbeddingModelPref: model }, "passage")).toBe(passage);
      expect(await textOf(id, { EmbeddingModelPref: model }, "query")).toBe(query);
    }
  });

  it("come from the settings of an OpenAI-compatible server, and name its vectors", async () => {
    const settings = {
      EmbeddingModelPref: "nomic-embed-text",
      GenericOpenAiEmbeddingPassagePrefix: "passage: ",
      GenericOpenAiEmbeddingQueryPrefix: "query: ",
    };
    expect(await textOf("generic-openai", settings, "passage")).toBe("passage: fox");
    expect(await textOf("generic-openai", settings, "query")).toBe("query: fox");
    const { make } = cases.find(({ id }) => id === "generic-openai")!;
    expect(make(fake.url, settings).vectorSpace).toMatch(
      /^generic-openai:nomic-embed-text:[0-9a-f]{8}$/,
    );
  });

  it("name Gemini's task where its later models take no task type", async () => {
    const settings = { EmbeddingModelPref: "gemini-embedding-2" };
    expect(await textOf("gemini", settings, "query")).toBe("task: search result | query: fox");
    expect(await textOf("gemini", settings, "passage")).toBe("title: none | text: fox");
    expect(fake.requests.map(({ body }) => JSON.stringify(body))).not.toContain("taskType");
  });
});

it("names vectors as before, so that indexes of earlier versions are kept", () => {
  const nameOf = (id: string, settings: Record<string, string>) =>
    cases.find((each) => each.id === id)!.make(fake.url, settings).vectorSpace;
  expect(nameOf("openai", { EmbeddingModelPref: "" })).toBe("openai:text-embedding-ada-002");
  expect(nameOf("ollama", { EmbeddingModelPref: "all-minilm" })).toBe("ollama:all-minilm");
  expect(
    nameOf("ollama", { EmbeddingModelPref: "all-minilm", EmbeddingOutputDimensions: "256" }),
  ).toBe("ollama:all-minilm:256");
  expect(nameOf("generic-openai", {})).toBe("generic-openai:local");
});
