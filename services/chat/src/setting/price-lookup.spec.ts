import { modelPricesLabel } from "@carrel/contracts";
import { readPrices } from "./price-lookup.ts";

const own = { input: 1.5, cachedInput: 0, output: 7 };
const prices = readPrices({
  [modelPricesLabel]: JSON.stringify([
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
      expect(prices(provider, model)).toEqual(own);
  });

  it("are the catalogue's for other models, and without an admin's", () => {
    expect(prices("ollama", "qwen3")).toMatchObject({ input: 0, cachedInput: 0, output: 0 });
    expect(prices("generic-openai", "other")).toBeNull();
    expect(prices("anthropic", "gpt-4.1")).toBeNull();
    expect(readPrices({})("openai", "gpt-4.1")).toEqual({ input: 2, cachedInput: 0.5, output: 8 });
  });
});
