import { embeddingProviders, languageProviders } from "@carrel/providers";
import { describe, expect, it } from "@jest/globals";
import { buildListingSettings, overlaySettings } from "./ready-providers.ts";

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

const provider = (id: string) => languageProviders.find((each) => each.id === id)!;

describe("the settings that models are listed with", () => {
  const stored = new Map([
    ["AwsBedrockLLMAccessKeyId", "AKIDSTORED"],
    ["AwsBedrockLLMAccessKey", "stored"],
    ["AwsBedrockLLMRegion", "us-east-1"],
  ]);

  it("take the region from the options", () => {
    expect(
      buildListingSettings(provider("bedrock"), stored, {
        provider: "bedrock",
        apiKey: true,
        options: { region: "eu-north-1" },
      }),
    ).toMatchObject({ AwsBedrockLLMAccessKey: "stored", AwsBedrockLLMRegion: "eu-north-1" });
  });

  it("take unsaved values of the form, but neither masks nor fields of other forms", () => {
    const settings = buildListingSettings(provider("bedrock"), stored, {
      provider: "bedrock",
      settings: {
        AwsBedrockLLMAccessKeyId: "AKIDTYPED",
        AwsBedrockLLMAccessKey: "*".repeat(20),
        OpenAiKey: "sk-other",
      },
    });
    expect(settings).toMatchObject({
      AwsBedrockLLMAccessKeyId: "AKIDTYPED",
      AwsBedrockLLMAccessKey: "stored",
    });
    expect(settings).not.toHaveProperty("OpenAiKey");
  });

  it("never move a stored key to another address", () => {
    const settings = buildListingSettings(
      provider("litellm"),
      new Map([
        ["LiteLLMBasePath", "http://127.0.0.1:4000"],
        ["LiteLLMAPIKey", "stored"],
      ]),
      {
        provider: "litellm",
        apiKey: true,
        basePath: "http://elsewhere.test",
        settings: { LiteLLMBasePath: "http://127.0.0.1:4000" },
      },
    );
    expect(settings.LiteLLMBasePath).toBe("http://elsewhere.test");
    expect(settings).not.toHaveProperty("LiteLLMAPIKey");
  });

  it("never use the address that another embedder was given", () => {
    const lmStudio = embeddingProviders.find(({ id }) => id === "lmstudio")!;
    const settingsIn = (engine: string) =>
      buildListingSettings(
        lmStudio,
        new Map([
          ["EmbeddingEngine", engine],
          ["EmbeddingBasePath", "http://ollama.test"],
          ["LMStudioAuthToken", "stored"],
        ]),
        { provider: "lmstudio-embedder", apiKey: true },
      );
    expect(settingsIn("ollama")).not.toHaveProperty("EmbeddingBasePath");
    expect(settingsIn("lmstudio")).toMatchObject({
      EmbeddingBasePath: "http://ollama.test",
      LMStudioAuthToken: "stored",
    });
    const elsewhere = buildListingSettings(
      lmStudio,
      new Map([
        ["EmbeddingBasePath", "http://ollama.test"],
        ["LMStudioAuthToken", "stored"],
      ]),
      { provider: "lmstudio-embedder", apiKey: true, basePath: "http://ollama.test" },
    );
    expect(elsewhere).not.toHaveProperty("LMStudioAuthToken");
  });
});
