// Forms, validation and adapters against specification 2 and wire-contract 11.1.
import { readFileSync } from "node:fs";
import {
  checkSettingField,
  providerDeclaration,
  type KnownFault,
  type SettingField,
} from "@carrel/contracts";
import { createLanguageModel, languageProviders, vendors } from "@carrel/providers";
import { describe, expect, it } from "@jest/globals";
import { languageSettings } from "./vendor-settings.ts";

/** The table in section 3 of specification 2. */
const specified: Record<string, string> = {
  openai: "OpenAiKey OpenAiModelPref",
  "generic-openai":
    "GenericOpenAiBasePath GenericOpenAiKey GenericOpenAiModelPref GenericOpenAiTokenLimit GenericOpenAiMaxTokens",
  azure:
    "AzureOpenAiEndpoint AzureOpenAiKey AzureOpenAiModelPref AzureOpenAiTokenLimit AzureOpenAiModelType",
  anthropic: "AnthropicApiKey AnthropicModelPref",
  lmstudio: "LMStudioBasePath LMStudioModelPref LMStudioTokenLimit",
  localai: "LocalAiBasePath LocalAiApiKey LocalAiModelPref LocalAiTokenLimit",
  gemini: "GeminiLLMApiKey GeminiLLMModelPref GeminiSafetySetting",
  ollama:
    "OllamaLLMBasePath OllamaLLMAuthToken OllamaLLMModelPref OllamaLLMTokenLimit OllamaLLMPerformanceMode OllamaLLMKeepAliveSeconds",
  mistral: "MistralApiKey MistralModelPref",
  huggingface: "HuggingFaceLLMEndpoint HuggingFaceLLMAccessToken HuggingFaceLLMTokenLimit",
  togetherai: "TogetherAiApiKey TogetherAiModelPref",
  fireworksai: "FireworksAiLLMApiKey FireworksAiLLMModelPref",
  perplexity: "PerplexityApiKey PerplexityModelPref",
  openrouter: "OpenRouterApiKey OpenRouterModelPref OpenRouterTimeout",
  groq: "GroqApiKey GroqModelPref",
  cohere: "CohereApiKey CohereModelPref",
  koboldcpp: "KoboldCPPBasePath KoboldCPPModelPref KoboldCPPTokenLimit",
  textgenwebui: "TextGenWebUIBasePath TextGenWebUITokenLimit TextGenWebUIAPIKey",
  litellm: "LiteLLMBasePath LiteLLMModelPref LiteLLMTokenLimit LiteLLMAPIKey",
  bedrock:
    "AwsBedrockLLMConnectionMethod AwsBedrockLLMAccessKeyId AwsBedrockLLMAccessKey AwsBedrockLLMSessionToken AwsBedrockLLMRegion AwsBedrockLLMModel AwsBedrockLLMTokenLimit",
  deepseek: "DeepSeekApiKey DeepSeekModelPref",
  apipie: "ApipieLLMApiKey ApipieLLMModelPref",
  novita: "NovitaLLMApiKey NovitaLLMModelPref NovitaLLMTimeout",
  xai: "XAIApiKey XAIModelPref",
  "nvidia-nim": "NvidiaNimLLMBasePath NvidiaNimLLMModelPref",
  ppio: "PPIOApiKey PPIOModelPref",
};
/** Sections 5 and 9 of specification 2, and wire-contract 11.1. */
const defaults: Record<string, string | number> = {
  OpenAiModelPref: "gpt-4.1-nano",
  GenericOpenAiMaxTokens: 1024,
  AzureOpenAiTokenLimit: "4096",
  AzureOpenAiModelType: "default",
  AnthropicModelPref: "claude-sonnet-4-6",
  LMStudioTokenLimit: 4096,
  OllamaLLMTokenLimit: 4096,
  OllamaLLMKeepAliveSeconds: "300",
  KoboldCPPTokenLimit: 4096,
  GeminiLLMModelPref: "gemini-2.0-flash-lite",
  GeminiSafetySetting: "BLOCK_MEDIUM_AND_ABOVE",
  MistralModelPref: "mistral-tiny",
  OpenRouterModelPref: "openrouter/auto",
  OpenRouterTimeout: 500,
  NovitaLLMModelPref: "deepseek/deepseek-r1",
  NovitaLLMTimeout: 500,
  GroqModelPref: "llama-3.1-8b-instant",
  CohereModelPref: "command-r",
  AwsBedrockLLMConnectionMethod: "iam",
  AwsBedrockLLMRegion: "us-west-2",
  DeepSeekModelPref: "deepseek-chat",
  ApipieLLMModelPref: "openrouter/mistral-7b-instruct",
  XAIModelPref: "grok-beta",
  PPIOModelPref: "qwen/qwen2.5-32b-instruct",
  MoonshotAiModelPref: "moonshot-v1-32k",
  CometApiLLMModelPref: "gpt-5-mini",
  ZAiModelPref: "glm-4.5",
  GiteeAITokenLimit: 8192,
  DockerModelRunnerModelTokenLimit: 8192,
  LemonadeLLMModelTokenLimit: 8192,
  MinimaxModelPref: "MiniMax-M2.7",
  CerebrasModelPref: "gpt-oss-120b",
};

interface WireField {
  isSecret: boolean;
  /** E, N, U, V, O or –, as the contract abbreviates them; others are words. */
  codes: string[];
}

/** The rows of wire-contract 11.1, by id and key. */
function readContract(): Map<string, Map<string, WireField>> {
  const text = readFileSync(new URL("../../../docs/wire-contract.md", import.meta.url), "utf8");
  const section = text.slice(text.indexOf("### 11.1"), text.indexOf("### 11.2"));
  const rows = [...section.matchAll(/^\| ([a-z-]+) \| (.+?) \|/gm)].filter(
    ([, id]) => id !== "id" && !id!.startsWith("--"),
  );
  return new Map(
    rows.map(([, id, cell]) => [
      id!,
      new Map(
        [...cell!.matchAll(/([A-Z][A-Za-z]{6,})(\*?) \(([^)]*)/g)].map(([, key, secret, codes]) => [
          // The form posts LiteLLMAPIKey, as in specification 2; the contract notes both spellings.
          key === "LiteLLMApiKey" ? "LiteLLMAPIKey" : key!,
          { isSecret: secret === "*", codes: codes!.split(/[;,] ?/) },
        ]),
      ),
    ]),
  );
}
const contract = readContract();
// Below the table, because clients of August 2026 no longer have it.
contract.set(
  "huggingface",
  new Map([
    ["HuggingFaceLLMEndpoint", { isSecret: false, codes: ["E", "U"] }],
    ["HuggingFaceLLMAccessToken", { isSecret: true, codes: ["E"] }],
    ["HuggingFaceLLMTokenLimit", { isSecret: false, codes: ["N"] }],
  ]),
);
/** Fields of the embedder's form (11.2). */
const ofEmbedders = ["AzureOpenAiEmbeddingModelPref"];
/** Named in the table's third column. */
const inNotes: Partial<Record<string, string>> = { "nvidia-nim": "NvidiaNimLLMTokenLimit" };

const language = vendors.flatMap((vendor) =>
  vendor.language?.create === undefined ? [] : [{ ...vendor, fields: vendor.language.fields }],
);
const ids = language.map(({ id }) => id);
const codeOf = (fault: KnownFault | null): string | null => fault?.code ?? null;

describe("the fields of specification 2 and wire-contract 11.1", () => {
  it("has every provider", () => {
    expect(Object.keys(specified)).toHaveLength(26);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(specified)));
    for (const id of ids) expect(contract.has(id)).toBe(true);
  });

  it.each(language)("$id has exactly its fields", ({ id, fields }) => {
    const wanted = new Set([
      ...(specified[id]?.split(" ") ?? []),
      ...[...contract.get(id)!.keys()].filter((key) => !ofEmbedders.includes(key)),
      ...(inNotes[id]?.split(" ") ?? []),
    ]);
    expect(new Set(fields.map(({ key }) => key))).toEqual(wanted);
  });

  it.each(language)("$id has its defaults", ({ fields }) => {
    for (const field of fields)
      if (field.key in defaults)
        expect([field.key, field.default ?? field.clientDefault]).toEqual([
          field.key,
          defaults[field.key],
        ]);
  });

  it("has a field for every default", () => {
    const keys = language.flatMap(({ fields }) => fields.map(({ key }) => key));
    expect(keys).toEqual(expect.arrayContaining(Object.keys(defaults)));
  });

  it.each(language)("$id keeps its secrets secret", ({ id, fields }) => {
    for (const { key, kind } of fields) {
      const wire = contract.get(id)!.get(key);
      if (wire) expect([key, kind === "secret"]).toEqual([key, wire.isSecret]);
      expect([key, kind === "secret"]).toEqual([
        key,
        /(?:key|token|AccessKeyId)$/i.test(key) && !key.endsWith("TokenLimit"),
      ]);
    }
  });

  it.each(language)("$id validates as the contract says", ({ id, fields }) => {
    const field = (key: string): SettingField => fields.find((each) => each.key === key)!;
    const check = (key: string, value: string): string | null =>
      codeOf(checkSettingField(field(key), value));
    for (const [key, { codes }] of contract.get(id)!) {
      if (ofEmbedders.includes(key)) continue;
      const got: Record<string, string | null> = {};
      if (codes.includes("E")) got.empty = check(key, "");
      if (codes.includes("N")) {
        got.word = check(key, "many");
        got.zero = check(key, "0");
        got.number = check(key, "8192");
      }
      if (codes.includes("U")) got.noUrl = check(key, "nowhere");
      if (codes.includes("V")) {
        got.noV1 = check(key, "http://127.0.0.1:1234");
        got.slash = check(key, "http://127.0.0.1:1234/v1/");
      }
      if (codes.includes("O")) got.slash = check(key, "http://127.0.0.1:1234/");
      const wanted: Record<string, string | null> = {};
      if ("empty" in got) wanted.empty = "setting.empty";
      if ("word" in got) wanted.word = "setting.not-a-number";
      if ("zero" in got) wanted.zero = "setting.not-positive";
      if ("number" in got) wanted.number = null;
      if ("noUrl" in got)
        wanted.noUrl =
          id === "huggingface" ? "setting.hugging-face-address-invalid" : "setting.address-invalid";
      if ("noV1" in got) wanted.noV1 = "setting.address-without-v1";
      if ("slash" in got) wanted.slash = "setting.address-ends-with-slash";
      expect({ key, ...got }).toEqual({ key, ...wanted });
    }
  });
});

describe("form, validation and adapter agree", () => {
  const local = { folder: "", idleMinutes: 1 };
  const settingsOf = (id: string): Record<string, string> =>
    languageSettings(
      vendors.find((vendor) => vendor.id === id)!,
      "http://127.0.0.1:9/v1",
      "sk-ant-0123456789",
    );

  it.each(languageProviders)(
    "$id: the form matches its schema and has unique fields",
    (provider) => {
      expect(providerDeclaration.parse(provider)).toEqual(provider);
      const keys = provider.fields.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      expect(provider.fields.filter(({ kind }) => kind === "model").length).toBeLessThanOrEqual(1);
      for (const { when } of provider.fields) if (when) expect(keys).toContain(when.key);
    },
  );

  it.each(language)("$id: every default passes its own check", ({ fields }) => {
    for (const field of fields)
      if (field.default !== undefined && field.default !== "")
        expect([field.key, checkSettingField(field, String(field.default))]).toEqual([
          field.key,
          null,
        ]);
  });

  it.each(language)("$id: every option passes its own check", ({ fields }) => {
    for (const field of fields)
      for (const option of field.options ?? [])
        expect([field.key, checkSettingField(field, option)]).toEqual([field.key, null]);
  });

  it.each(language)(
    "$id: what the form requires is enough, and nothing less is",
    ({ id, fields }) => {
      const settings = settingsOf(id);
      expect(createLanguageModel(id, settings, { local })).toMatchObject({ provider: id });
      for (const field of fields) {
        if (!field.required || field.default !== undefined || field.when !== undefined) continue;
        const { [field.key]: _left, ...rest } = settings;
        expect(() => createLanguageModel(id, rest, { local })).toThrow(
          expect.objectContaining({ name: "ProviderError", kind: "invalid" }),
        );
      }
    },
  );

  it.each(language)(
    "$id: the adapter reads the model and the context window of the form",
    ({ id, fields }) => {
      const model = fields.find(({ kind }) => kind === "model");
      const window = fields.find(({ label }) => label === "contextWindow");
      const created = createLanguageModel(
        id,
        {
          ...settingsOf(id),
          ...(model && { [model.key]: "chosen" }),
          ...(window && { [window.key]: "12345" }),
        },
        { local },
      );
      if (model) expect(created.model).toBe("chosen");
      if (window) expect(created.contextWindow).toBe(12_345);
      expect(created.contextWindow).toBeGreaterThan(0);
      expect(createLanguageModel(id, settingsOf(id), { model: "theirs", local }).model).toBe(
        "theirs",
      );
    },
  );
});
