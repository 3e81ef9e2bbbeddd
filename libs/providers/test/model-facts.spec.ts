import { createLanguageModel, languageProviders, vendors } from "@carrel/providers";
import { describe, expect, it } from "@jest/globals";

const hosted = languageProviders.filter(({ id }) =>
  vendors.some(
    (vendor) =>
      vendor.id === id && vendor.group !== "builtin" && vendor.language?.create !== undefined,
  ),
);
const signal = AbortSignal.timeout(5_000);

describe("what an admin says of a model", () => {
  it.each(hosted.map(({ id }) => id))("replaces what is known of it for %s", async (id) => {
    const provider = hosted.find((each) => each.id === id)!;
    const settings = Object.fromEntries(
      provider.fields.map((field) => [
        field.key,
        field.kind === "url"
          ? "http://127.0.0.1:9"
          : field.kind === "number"
            ? "4096"
            : String(field.default ?? field.options?.[0] ?? "us-east-1"),
      ]),
    );
    const facts = { contextWindow: 5_432, outputLimit: 321, tools: false, vision: false };
    const overrides = [{ provider: id, model: "own-model", ...facts, reasoning: false }];
    const other = createLanguageModel(id, settings, { model: "other-model", overrides });
    expect(other.contextWindow).not.toBe(5_432);
    const model = createLanguageModel(id, settings, { model: "own-model", overrides });
    if (model.model !== "own-model") return; // its form has no model
    expect(model).toMatchObject({ contextWindow: 5_432, answerTokens: 321 });
    expect(await model.supportsImages(signal)).toBe(false);
    expect(await model.supportsTools(signal)).toBe(false);
  });

  it("never asks for more than the model can write", () => {
    const overrides = [{ provider: "openai", model: "gpt-4o", outputLimit: 1_000_000 }];
    const model = createLanguageModel(
      "openai",
      { OpenAiKey: "key" },
      { model: "gpt-4o", overrides },
    );
    expect(model.answerTokens).toBe(16_384);
  });
});
