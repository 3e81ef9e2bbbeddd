import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { renderFault } from "@carrel/contracts";
import { ProviderError, testConnection } from "@carrel/providers";
import type { FakeBehaviour } from "@carrel/testing";
import { expect, it, jest } from "@jest/globals";
import { dictationCases, speechCases, transcriptionCases } from "./audio-cases.ts";
import { cases, key, startVendors } from "./language-model-cases.ts";

jest.setTimeout(60_000);
const fake = await startVendors();

/** What the test of this call reports. */
async function faultOf(test: Promise<unknown>): Promise<string> {
  const error: unknown = await test.catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(ProviderError);
  return renderFault((error as ProviderError).fault);
}
const local = (url: string, values: Record<string, string> = {}) => ({
  GenericOpenAiBasePath: `${url}/v1`,
  GenericOpenAiKey: key,
  GenericOpenAiModelPref: "small",
  ...values,
});
const audioCases = (url: string) => [
  ...speechCases(url).map((each) => ({
    ...each,
    kind: "speech" as const,
    model: each.create().model,
  })),
  ...dictationCases(url).map((each) => ({
    ...each,
    kind: "dictation" as const,
    model: each.create().model,
  })),
  ...transcriptionCases(url).map((each) => ({
    ...each,
    kind: "transcription" as const,
    model: each.create().model,
  })),
];
const embedder = (url: string) => ({ EmbeddingBasePath: `${url}/v1`, EmbeddingModelPref: "small" });

it.each(cases)("asks $id for a few tokens", async ({ id, configure, make, usual }) => {
  fake.behave({ ...usual, tokens: 3 });
  const { settings, baseUrl } = configure(fake.url);
  expect(await testConnection("language", id, settings, { baseUrl })).toEqual({
    milliseconds: expect.any(Number),
    model: make(fake.url).model,
    dimensions: null,
  });
  expect(fake.requests).toHaveLength(1);
  expect(JSON.stringify(fake.requests[0]!.body)).toMatch(/ken\w*":16\b|predict":16\b/);
});

it("embeds a word", async () => {
  fake.behave({ isOpen: true });
  expect(await testConnection("embedding", "generic-openai", embedder(fake.url))).toEqual({
    milliseconds: expect.any(Number),
    model: "small",
    dimensions: 384,
  });
});

it.each(audioCases(fake.url))("tries $kind by $id", async ({ kind, id, settings, model }) => {
  fake.behave({ isOpen: true, reply: "Hello." });
  expect(await testConnection(kind, id, settings, { baseUrl: `${fake.url}/v1` })).toEqual({
    milliseconds: expect.any(Number),
    model,
    dimensions: null,
  });
  expect(fake.requests).toHaveLength(1);
});

it.each<[string, FakeBehaviour, string]>([
  ["a wrong key", { status: 401 }, " rejected the key (401). Check it in the settings."],
  ["an unknown model", { status: 404 }, " doesn't know this model or address."],
  ["an empty account", { status: 402 }, "You've used up your quota at "],
  ["an overload", { status: 503 }, " is overloaded. Try again in a moment."],
  [
    "a key in the vendor's words",
    { status: 400, error: { message: `Unusable: ${key}` } },
    "It says: Unusable: ***",
  ],
])("names %s", async (_what, behaviour, words) => {
  fake.behave(behaviour);
  const said = await faultOf(testConnection("language", "generic-openai", local(fake.url)));
  expect(said).toContain(words);
  expect(said).not.toContain(key);
});

it("names what is missing, and what has no connection", async () => {
  const { GenericOpenAiModelPref: _model, ...rest } = local(fake.url);
  expect(await faultOf(testConnection("language", "generic-openai", rest))).toBe(
    "Choose a model first.",
  );
  const { GenericOpenAiBasePath: _address, ...others } = local(fake.url);
  expect(await faultOf(testConnection("language", "generic-openai", others))).toBe(
    "Enter the address first.",
  );
  expect(await faultOf(testConnection("embedding", "openai", {}))).toBe("Enter an API key first.");
  expect(await faultOf(testConnection("language", "extractive", {}))).toMatch(
    /works without a connection, so there is nothing to test/,
  );
  expect(await faultOf(testConnection("embedding", "native", {}))).toMatch(
    /works without a connection, so there is nothing to test/,
  );
  expect(await faultOf(testConnection("language", "nobody", {}))).toBe(
    "nobody doesn't provide language models.",
  );
  expect(fake.requests).toHaveLength(0);
});

it("gives up at its limit, unless the answer has begun", async () => {
  const test = () =>
    testConnection("language", "generic-openai", local(fake.url), { limitMs: 1_000 });
  fake.behave({ hang: "headers" });
  expect(await faultOf(test())).toBe(
    "OpenAI compatible didn't answer within 1 seconds. If it's still loading the model, try again in a moment.",
  );
  fake.behave({ hang: 1 });
  expect(await test()).toMatchObject({ model: "small" });
});

it("recognises a web page where the API should be", async () => {
  const site = createServer((_, reply) => {
    reply.setHeader("content-type", "text/html; charset=utf-8").end("<h1>Welcome</h1>");
  });
  await new Promise<void>((resolve) => {
    site.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const page = `${url} answered, but not as a model server. Check the base URL: it often ends in /v1.`;
  expect(await faultOf(testConnection("language", "generic-openai", local(url)))).toBe(page);
  expect(await faultOf(testConnection("embedding", "generic-openai", embedder(url)))).toBe(page);
  site.closeAllConnections();
  site.close();
});
