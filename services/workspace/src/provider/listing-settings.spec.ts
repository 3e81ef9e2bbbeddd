import { describe, expect, it } from "@jest/globals";
import { embeddingProviders, languageProviders } from "@carrel/providers";
import { buildListingSettings } from "./listing-settings.ts";

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
