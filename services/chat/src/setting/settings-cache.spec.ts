import { modelOverridesLabel } from "@carrel/contracts";
import { readPrices } from "./settings-cache.ts";

const own = { input: 1.5, cachedInput: 0, output: 7 };
const prices = readPrices({
  [modelOverridesLabel]: JSON.stringify([
    { provider: "openai", model: "gpt-4.1", ...own },
    { provider: "ollama", model: "llama3.2", ...own },
    { provider: "generic-openai", model: "house", ...own },
  ]),
});

describe("prices of models", () => {
  it("are an admin's, also for models that are free or unknown otherwise", () => {
    for (const [provider, model] of [
      ["openai", "gpt-4.1"],
      ["ollama", "llama3.2"],
      ["generic-openai", "house"],
    ] as const)
      expect(prices(provider, model)).toMatchObject(own);
  });

  it("may be of one unit only, beside the catalogue's", () => {
    const some = readPrices({
      [modelOverridesLabel]: JSON.stringify([
        { provider: "openai", model: "gpt-4.1", contextWindow: 5_000 },
        { provider: "elevenlabs", model: "voice", characters: 120 },
        { provider: "deepgram", model: "nova-3", reasoning: false },
        { provider: "openai", model: "text-embedding-3-small", input: 1, output: 0 },
      ]),
    });
    expect(some("openai", "gpt-4.1")).toEqual({ input: 2, cachedInput: 0.5, output: 8 });
    expect(some("elevenlabs", "voice")).toEqual({ characters: 120 });
    expect(some("deepgram", "nova-3")).toBeNull();
    expect(some("openai", "text-embedding-3-small")).toMatchObject({ input: 1 });
  });

  it("are the catalogue's for other models, and without an admin's", () => {
    expect(prices("ollama", "qwen3")).toMatchObject({ input: 0, cachedInput: 0, output: 0 });
    expect(prices("generic-openai", "other")).toBeNull();
    expect(prices("anthropic", "gpt-4.1")).toBeNull();
    expect(readPrices({})("openai", "gpt-4.1")).toEqual({ input: 2, cachedInput: 0.5, output: 8 });
  });
});
