// What the settings forms of AnythingLLM's web apps send (wire-contract 11), and the outcome.
import { createEmbeddingModel } from "@carrel/providers";
import { startFakeLlm } from "@carrel/testing";
import { afterAll, beforeEach, describe, expect, it } from "@jest/globals";
import { mapSettingsToWire, validateSetting } from "./setting-definition.ts";
import { planSettingUpdate } from "./setting-store.ts";

const fake = await startFakeLlm({ apiKey: "sk-embedder" });
afterAll(() => fake.stop());
beforeEach(() => {
  fake.requests.length = 0;
});

const plan = (values: Record<string, string>): ReturnType<typeof planSettingUpdate> =>
  planSettingUpdate({
    values,
    current: { values: new Map(), secrets: new Map() },
    locked: new Set(),
    validate: validateSetting,
  });
const local = "http://127.0.0.1:4000/v1";

describe("the forms of existing clients", () => {
  it.each<[form: string, sent: Record<string, string>, stored?: Record<string, string>]>([
    [
      "Bedrock of May 2025",
      {
        LLMProvider: "bedrock",
        AwsBedrockLLMConnectionMethod: "iam",
        AwsBedrockLLMAccessKeyId: "AKIAEXAMPLE",
        AwsBedrockLLMAccessKey: "secret",
        AwsBedrockLLMRegion: "us-west-2",
        AwsBedrockLLMModel: "anthropic.claude-3-haiku-20240307-v1:0",
        AwsBedrockLLMTokenLimit: "8192",
        AwsBedrockLLMMaxOutputTokens: "2048",
      },
      { AwsBedrockLLMMaxTokens: "2048" },
    ],
    [
      "Dell Pro AI Studio",
      {
        LLMProvider: "dpais",
        DellProAiStudioBasePath: "http://127.0.0.1:8553/v1/openai",
        DellProAiStudioModelPref: "phi",
        DellProAiStudioTokenLimit: "4096",
      },
    ],
    [
      "oMLX",
      {
        LLMProvider: "omlx",
        OMLXLLMBasePath: "http://127.0.0.1:8000",
        OMLXLLMApiKey: "",
        OMLXLLMModelPref: "qwen",
        OMLXLLMTokenLimit: "",
      },
    ],
    [
      "LiteLLM as its form spells the key",
      { LLMProvider: "litellm", LiteLLMBasePath: local, LiteLLMAPIKey: "sk-lite" },
    ],
    [
      "LiteLLM as the server spells the key",
      { LLMProvider: "litellm", LiteLLMBasePath: local, LiteLLMApiKey: "sk-lite" },
      { LiteLLMAPIKey: "sk-lite" },
    ],
    [
      "a form with settings of another version",
      { LLMProvider: "mistral", ModelRouterId: "3", MistralApiKey: "k", MistralModelPref: "m" },
    ],
    ["OpenRouter", { OpenRouterApiKey: "k", OpenRouterTimeout: "500" }],
    ["OpenRouter without a time-out", { OpenRouterApiKey: "k", OpenRouterTimeout: "" }],
  ])("%s are saved", (_form, sent, stored = {}) => {
    const { changes, accepted, fault } = plan(sent);
    expect(fault).toBeNull();
    expect(accepted).toEqual(Object.keys(sent).filter((key) => key !== "ModelRouterId"));
    const saved = Object.fromEntries([...changes].filter(([, text]) => text !== null));
    expect(saved).toMatchObject(stored);
    for (const [key, text] of Object.entries(sent))
      if (text !== "" && key in saved) expect([key, saved[key]]).toEqual([key, text]);
  });

  it.each([
    ["AzureOpenAiEndpoint", "my-resource", "setting.address-invalid"],
    ["AzureOpenAiEndpoint", "ftp://my-resource", "setting.address-invalid"],
    ["AzureOpenAiEndpoint", "", "setting.empty"],
    ["DellProAiStudioBasePath", "127.0.0.1", "setting.address-invalid"],
    ["DellProAiStudioTokenLimit", "0", "setting.not-positive"],
    ["AwsBedrockLLMMaxOutputTokens", "many", "setting.not-a-number"],
    ["OpenRouterTimeout", "499", "setting.too-small"],
    ["NovitaLLMTimeout", "499.9", "setting.too-small"],
    ["NovitaLLMTimeout", "soon", "setting.not-a-number"],
    ["CometApiLLMTimeout", "-500", "setting.not-positive"],
  ])("are refused with %s = %j", (key, value, code) => {
    expect(plan({ [key]: value })).toMatchObject({ accepted: [], fault: { code } });
  });

  it("prefer the setting's own name where a client sends both, and find both in the map", () => {
    const { changes } = plan({ LiteLLMAPIKey: "own", LiteLLMApiKey: "other" });
    expect(Object.fromEntries(changes)).toEqual({ LiteLLMAPIKey: "own" });
    const map = mapSettingsToWire(
      {
        values: new Map([["AwsBedrockLLMMaxTokens", "2048"]]),
        secrets: new Map([["LiteLLMAPIKey", "v1:sealed"]]),
      },
      { DISABLE_VIEW_CHAT_HISTORY: false, WORKSPACE_DELETION_PROTECTION: false },
    );
    expect(map).toMatchObject({
      AwsBedrockLLMMaxTokens: "2048",
      AwsBedrockLLMMaxOutputTokens: "2048",
      LiteLLMAPIKey: true,
      LiteLLMApiKey: true,
    });
  });

  it.each<[engine: string, form: (url: string) => Record<string, string>]>([
    [
      "localai",
      (url) => ({
        EmbeddingBasePath: `${url}/v1`,
        EmbeddingModelPref: "e",
        EmbeddingModelMaxChunkLength: "500",
        LocalAiApiKey: "sk-embedder",
      }),
    ],
    [
      "litellm",
      (url) => ({
        LiteLLMBasePath: `${url}/v1`,
        LiteLLMApiKey: "sk-embedder",
        EmbeddingModelPref: "e",
        EmbeddingModelMaxChunkLength: "500",
      }),
    ],
    [
      "azure",
      (url) => ({
        AzureOpenAiEndpoint: url,
        AzureOpenAiKey: "sk-embedder",
        AzureOpenAiEmbeddingModelPref: "e",
      }),
    ],
  ])("give the embedder %s its key", async (engine, form) => {
    const { changes, fault } = plan({ EmbeddingEngine: engine, ...form(fake.url) });
    expect(fault).toBeNull();
    const model = createEmbeddingModel(
      engine,
      Object.fromEntries([...changes].map(([key, text]) => [key, text ?? ""])),
      { modelsDir: "" },
    );
    await model.embed(["red fox"], "passage", new AbortController().signal);
    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer sk-embedder",
    ]);
  });
});
