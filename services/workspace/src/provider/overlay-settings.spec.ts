import { describe, expect, it } from "@jest/globals";
import { embeddingProviders, languageProviders } from "@carrel/providers";
import { overlaySettings } from "./overlay-settings.ts";

const language = languageProviders.find(({ id }) => id === "ollama")!;
const embedding = embeddingProviders.find(({ id }) => id === "ollama")!;
const stored = new Map([
  ["OllamaLLMBasePath", "http://gpu:11434"],
  ["OllamaLLMAuthToken", "stored"],
  ["OllamaLLMModelPref", "llama3"],
]);

describe("the settings that a form is tested with", () => {
  it("are the typed ones, then the stored ones, then defaults", () => {
    expect(
      overlaySettings(language, stored, { OllamaLLMModelPref: " qwen3 ", Other: "x" }),
    ).toEqual(
      expect.objectContaining({
        OllamaLLMBasePath: "http://gpu:11434",
        OllamaLLMAuthToken: "stored",
        OllamaLLMModelPref: "qwen3",
        OllamaLLMKeepAliveSeconds: "300",
      }),
    );
    expect(overlaySettings(language, stored, { Other: "x" })).not.toHaveProperty("Other");
    expect(overlaySettings(language, stored, { OllamaLLMModelPref: "" })).not.toHaveProperty(
      "OllamaLLMModelPref",
    );
  });

  it.each([
    ["a mask", "*".repeat(20), "stored"],
    ["spaces", "  ", "stored"],
    ["a secret", "typed", "typed"],
  ])("take %s for what it is", (_what, OllamaLLMAuthToken, expected) => {
    const settings = overlaySettings(language, stored, { OllamaLLMAuthToken });
    expect(settings.OllamaLLMAuthToken).toBe(expected);
  });

  it("send a stored secret only to the origins of the forms that share it", () => {
    const tokenAt = (EmbeddingBasePath: string) =>
      overlaySettings(embedding, stored, { EmbeddingBasePath }).OllamaLLMAuthToken;
    expect(tokenAt("http://gpu:11434")).toBe("stored");
    expect(tokenAt("http://gpu:11435")).toBeUndefined();
    expect(tokenAt("nowhere")).toBeUndefined();
  });
});
