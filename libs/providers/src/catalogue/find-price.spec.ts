import { describe, expect, it } from "@jest/globals";
import { findPrice, isFreeProvider } from "./find-price.ts";

describe("prices", () => {
  it("come from the catalogue, for dated names too", () => {
    const price = { input: 2, cachedInput: 0.5, output: 8 };
    expect(findPrice("openai", "gpt-4.1")).toEqual(price);
    expect(findPrice("openai", "gpt-4.1-2025-04-14")).toEqual(price);
  });

  it("charge the full price for cached tokens where the catalogue has no other", () => {
    expect(findPrice("openai", "gpt-4")).toEqual({ input: 30, cachedInput: 30, output: 60 });
  });

  it("are zero for models that run here, and unknown for others without a price", () => {
    expect(findPrice("ollama", "gpt-4.1")).toEqual({ input: 0, cachedInput: 0, output: 0 });
    expect(findPrice("extractive", "extractive")).toEqual({ input: 0, cachedInput: 0, output: 0 });
    for (const [provider, model] of [
      ["openai", "a-model-from-tomorrow"],
      ["openai", "gpt-4-32k"],
      ["generic-openai", "gpt-4.1"],
      ["unknown", "gpt-4.1"],
    ] as const)
      expect(findPrice(provider, model)).toBeNull();
    expect(isFreeProvider("generic-openai")).toBe(false);
    expect(isFreeProvider("unknown")).toBe(false);
  });
});
