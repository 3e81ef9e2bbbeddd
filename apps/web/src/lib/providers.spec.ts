import { afterEach, describe, expect, it, jest } from "@jest/globals";
import "../../testing/texts.ts";
import "./settings-texts.ts";
import { ApiError } from "./api.ts";
import { fetchModels, findProviders, isConnectionFault, sortModels } from "./providers.ts";

const original = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = original;
  jest.restoreAllMocks();
});
const input = { provider: "ollama", apiKey: null, basePath: "http://ollama:11434" };

describe("fetchModels", () => {
  it("gives up on a provider that doesn't answer", async () => {
    const timeout = new AbortController();
    AbortSignal.timeout ??= () => new AbortController().signal; // missing in jsdom
    jest.spyOn(AbortSignal, "timeout").mockReturnValue(timeout.signal);
    globalThis.fetch = ((_: string, init: RequestInit) =>
      new Promise((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      })) as typeof fetch;
    const asked = fetchModels(input);
    timeout.abort();
    await expect(asked).rejects.toThrow("Request timed out.");
  });
  it("fails with the fault named in the header", async () => {
    globalThis.fetch = (async () => ({
      ok: true,
      status: 200,
      headers: new Headers({
        "carrel-error": JSON.stringify({
          code: "provider.key-rejected",
          params: { vendor: "OpenAI", status: " (401)" },
        }),
      }),
      json: async () => ({ models: [], error: "OpenAI rejected the key." }),
    })) as unknown as typeof fetch;
    await expect(fetchModels(input)).rejects.toThrow(
      "OpenAI rejected the key (401). Check it in Settings.",
    );
  });
});

it("tells a provider that can't be reached from one that refuses", () => {
  const failed = (code: string) =>
    isConnectionFault(new ApiError(200, { fault: { code, params: {} } }));
  expect(failed("provider.connection-refused")).toBe(true);
  expect(failed("provider.host-unknown")).toBe(true);
  expect(failed("provider.key-rejected")).toBe(false);
  expect(isConnectionFault(null)).toBe(false);
});

it("models are sorted as a person would", () =>
  expect(
    sortModels(["model-10", "model-2", "Beta", "model-1", "alpha"].map((id) => ({ id }))).map(
      ({ id }) => id,
    ),
  ).toEqual(["alpha", "Beta", "model-1", "model-2", "model-10"]));

const known = [
  { id: "generic-openai", name: "OpenAI compatible" },
  { id: "lmstudio", name: "LM Studio" },
  { id: "zai", name: "Z.ai" },
];

it.each([
  ["generic", ["generic-openai"]],
  ["openai-compatible", ["generic-openai"]],
  ["LMStudio", ["lmstudio"]],
  ["lm st", ["lmstudio"]],
  ["z.ai", ["zai"]],
  // The providers most people look for come first.
  [" ", ["lmstudio", "generic-openai", "zai"]],
  ["mistral", []],
])("%j finds %j", (term, ids) => {
  expect(findProviders(known, term).map(({ id }) => id)).toEqual(ids);
});
