import { afterEach, describe, expect, it, jest } from "@jest/globals";
import "../texts.ts";
import { testProvider } from "./providers.ts";

const original = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = original;
  jest.restoreAllMocks();
});
const input = { provider: "ollama", apiKey: null, basePath: "http://ollama:11434" };

describe("the models of a provider", () => {
  it("are not waited for without end", async () => {
    const patience = new AbortController();
    AbortSignal.timeout ??= () => new AbortController().signal; // jsdom has none
    jest.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
    globalThis.fetch = ((_: string, init: RequestInit) =>
      new Promise((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      })) as typeof fetch;
    const asked = testProvider(input);
    patience.abort();
    await expect(asked).rejects.toThrow("Request timed out.");
  });
  it("fail with the words of the server", async () => {
    globalThis.fetch = (async () => ({
      ok: true,
      status: 200,
      json: async () => ({ models: [], error: "Incorrect API key provided." }),
    })) as unknown as typeof fetch;
    await expect(testProvider(input)).rejects.toThrow("Incorrect API key provided.");
  });
});
