import { createLanguageModel } from "@carrel/providers";
import { describe, expect, it } from "@jest/globals";
import { findCatalogueModel, findModelOfAnyVendor } from "../src/catalogue/model-catalogue.ts";

describe("lookup", () => {
  it.each([
    ["openai", "gpt-4o", 128_000],
    ["openai", "gpt-4.1-nano", 1_047_576],
    ["openai", "gpt-4-32k", 32_768],
    ["openai", "gpt-4", 8_192],
    ["openai", "gpt-5.4", 1_050_000],
    ["openai", "ft:gpt-4o-mini:mine::abc", 128_000],
    ["openai", "gpt-4o-2027-01-01", 128_000],
    ["openai", "gpt-4-0613", 8_192],
    ["openai", "o3-mini-2025-01-31", 200_000],
    ["anthropic", "claude-3-5-sonnet-latest", 200_000],
    ["anthropic", "claude-sonnet-4-6", 1_000_000],
    ["anthropic", "claude-opus-4-1@20250805", 200_000],
    ["openai", "gpt-4.99", undefined],
    ["openai", "claude-sonnet-4-6", undefined],
    ["nobody", "gpt-4o", undefined],
    ["openai", "constructor", undefined],
  ])("%s %s: %s", (vendor, id, contextWindow) => {
    expect(findCatalogueModel(vendor, id)?.contextWindow).toBe(contextWindow);
  });

  it.each([
    ["gpt-4.1-nano", 1_047_576],
    ["openai/gpt-4.1-nano", 1_047_576],
    ["my-own-model", undefined],
    ["constructor", undefined],
  ])("%s at any server: %s", (id, contextWindow) => {
    expect(findModelOfAnyVendor(id)?.contextWindow).toBe(contextWindow);
  });

  it("knows limits, abilities and prices", () => {
    expect(findCatalogueModel("openai", "o3-mini")).toEqual({
      contextWindow: 200_000,
      outputLimit: 100_000,
      vision: false,
      tools: true,
      reasoning: true,
      temperature: false,
      inputPrice: 1.1,
      cachedInputPrice: 0.55,
      outputPrice: 4.4,
    });
  });
});

describe("models that the catalogue doesn't know", () => {
  const openAi = createLanguageModel("openai", { OpenAiKey: "sk-x" }, { model: "gpt-99" });
  const anthropic = createLanguageModel(
    "anthropic",
    { AnthropicApiKey: "sk-ant-x" },
    { model: "claude-99" },
  );
  it.each([
    [openAi, 128_000],
    [anthropic, 200_000],
  ])("count as their vendor's newest", async (model, contextWindow) => {
    const { signal } = new AbortController();
    expect(model.contextWindow).toBe(contextWindow);
    expect(await model.supportsImages(signal)).toBe(true);
    expect(await model.supportsTools(signal)).toBe(true);
  });
});

it("asks old Claude models for no more tokens than they can write", () => {
  const limit = (model: string) =>
    createLanguageModel("anthropic", { AnthropicApiKey: "sk-ant-x" }, { model }).answerTokens;
  expect([limit("claude-3-haiku-20240307"), limit("claude-sonnet-4-6")]).toEqual([4_096, 8_192]);
});
