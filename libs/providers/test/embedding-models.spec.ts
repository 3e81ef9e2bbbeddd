import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { fakeEmbedding, poll, startFakeLlm, type FakeLlm } from "@carrel/testing";
import { createEmbeddingModel } from "@carrel/providers";
import {
  OpenAiEmbeddingModel,
  type OpenAiEmbeddingOptions,
} from "../src/openai/openai-embedding-model.ts";

let fake: FakeLlm;
const { signal } = new AbortController();
beforeAll(async () => {
  fake = await startFakeLlm({});
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.requests.length = 0;
});

const near = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * b[place]!, 0);

it("generic-openai: batches, prefixes, order and vectors", async () => {
  const model = createEmbeddingModel(
    "generic-openai",
    {
      EmbeddingBasePath: `${fake.url}/v1`,
      EmbeddingModelPref: "e",
      GenericOpenAiEmbeddingApiKey: "k",
      GenericOpenAiEmbeddingMaxConcurrentChunks: "2",
      GenericOpenAiEmbeddingPassagePrefix: "passage: ",
      GenericOpenAiEmbeddingQueryPrefix: "query: ",
      EmbeddingModelMaxChunkLength: "512",
    },
    { modelsDir: "" },
  );
  expect(model).toMatchObject({
    provider: "generic-openai",
    model: "e",
    dimensions: null,
    maxInputCharacters: 512,
    batchSize: 2,
  });
  const vectors = await model.embed(["red fox", "blue sea", "green hill"], "passage", signal);
  expect(fake.requests.map(({ body }) => body.input)).toEqual([
    ["passage: red fox", "passage: blue sea"],
    ["passage: green hill"],
  ]);
  expect(fake.requests[0]!.headers.authorization).toBe("Bearer k");
  expect(model.dimensions).toBe(384);
  expect(near(vectors[2]!, fakeEmbedding("passage: green hill"))).toBeCloseTo(1, 5);
  await model.embed(["hill"], "query", signal);
  expect(fake.requests.at(-1)!.body.input).toEqual(["query: hill"]);
});

it("openai: works once its client can be created", async () => {
  const options: OpenAiEmbeddingOptions = {
    vendor: { name: "OpenAI", origin: fake.url, secrets: [] },
    baseUrl: "not a URL",
    apiKey: undefined,
    limits: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 },
    provider: "openai",
    model: "e",
    vectorSpace: "e",
    maxInputCharacters: 100,
    batchSize: 2,
  };
  const model = new OpenAiEmbeddingModel(options);
  await expect(model.embed(["a"], "passage", signal)).rejects.toThrow("Invalid URL");
  options.baseUrl = `${fake.url}/v1`;
  expect(await model.embed(["a"], "passage", signal)).toHaveLength(1);
});

it("openai: its own defaults, shorter vectors on request", async () => {
  expect(createEmbeddingModel("openai", { OpenAiKey: "sk-x" }, { modelsDir: "" })).toMatchObject({
    model: "text-embedding-ada-002",
    dimensions: 1536,
    maxInputCharacters: 8191,
    batchSize: 500,
  });
  const model = createEmbeddingModel(
    "openai",
    {
      OpenAiKey: "sk-x",
      EmbeddingModelPref: "text-embedding-3-small",
      EmbeddingOutputDimensions: "256",
    },
    { modelsDir: "", baseUrl: `${fake.url}/v1` },
  );
  const [vector] = await model.embed(["a"], "passage", signal);
  expect(vector).toHaveLength(256);
  expect(fake.requests[0]!.body).toMatchObject({
    model: "text-embedding-3-small",
    dimensions: 256,
  });
});

it("ollama: native protocol, batch size from the settings", async () => {
  const model = createEmbeddingModel(
    "ollama",
    {
      EmbeddingBasePath: fake.url,
      EmbeddingModelPref: "nomic",
      OllamaEmbeddingBatchSize: "2",
      OllamaLLMAuthToken: "t",
    },
    { modelsDir: "" },
  );
  const vectors = await model.embed(["a b", "c d", "e f"], "passage", signal);
  expect(vectors.map((vector) => vector.length)).toEqual([384, 384, 384]);
  expect(fake.requests.map(({ path, body }) => [path, (body.input as string[]).length])).toEqual([
    ["/api/embed", 2],
    ["/api/embed", 1],
  ]);
  expect(fake.requests[0]!.headers.authorization).toBe("Bearer t");
});

it.each([
  ["generic-openai", () => ({ EmbeddingBasePath: `${fake.url}/v1`, EmbeddingModelPref: "e" })],
  ["ollama", () => ({ EmbeddingBasePath: fake.url, EmbeddingModelPref: "e" })],
])("%s: retries once, then fails; reports an abort as such", async (id, settings) => {
  const model = createEmbeddingModel(id, settings(), { modelsDir: "" });
  fake.next({ status: 500 });
  expect(await model.embed(["a"], "passage", signal)).toHaveLength(1);
  fake.next({ status: 500 }, { status: 500 });
  await expect(model.embed(["a"], "passage", signal)).rejects.toMatchObject({
    name: "ProviderError",
    kind: "server",
  });
  fake.next({ embeddingDelayMs: 60_000 });
  const [controller, asked] = [new AbortController(), fake.requests.length];
  const embedding = model.embed(["a"], "passage", controller.signal);
  embedding.catch(() => undefined);
  await poll(() => fake.requests).toHaveLength(asked + 1);
  controller.abort();
  await expect(embedding).rejects.toMatchObject({ kind: "aborted" });
});
