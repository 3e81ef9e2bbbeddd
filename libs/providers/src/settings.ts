import { embeddingProviders, languageProviders, vectorProviders } from "./declarations.ts";
import {
  all,
  notEmpty,
  oneOf,
  optional,
  positiveNumber,
  startsWith,
  webAddress,
  webAddressWithoutSlash,
  wholeNumber,
  type SettingRule,
} from "./setting-rule.ts";
import { vectorSettingRules } from "./vector-setting-rules.ts";

export type Settings = Record<string, string>;

const ids = (declarations: { id: string }[]) => declarations.map((declaration) => declaration.id);
const choice = (values: readonly string[]) =>
  optional(oneOf(values, (value) => `${value} is not one of ${values.join(", ")}.`));

/** wire-contract.md 11: the check of each setting key that providers know. */
const rules: Record<string, SettingRule> = {
  LLMProvider: all(
    notEmpty,
    oneOf(ids(languageProviders), (value) => `${value} is not a valid LLM provider.`),
  ),
  EmbeddingEngine: oneOf(
    ids(embeddingProviders),
    (value) =>
      `${value} is not a valid embedding engine. Allowed: ${ids(embeddingProviders).join(", ")}.`,
  ),
  VectorDB: oneOf(
    ids(vectorProviders),
    (value) =>
      `${value} is not a valid vector database. Allowed: ${ids(vectorProviders).join(", ")}.`,
  ),
  OpenAiKey: all(notEmpty, startsWith("sk-", "OpenAI Key must start with sk-")),
  OpenAiModelPref: notEmpty,
  AnthropicApiKey: all(notEmpty, startsWith("sk-ant-", "Anthropic Key must start with sk-ant-")),
  AnthropicModelPref: notEmpty,
  AnthropicCacheControl: choice(["none", "5m", "1h"]),
  OllamaLLMBasePath: all(notEmpty, webAddressWithoutSlash),
  OllamaLLMModelPref: () => null,
  OllamaLLMTokenLimit: optional(positiveNumber),
  OllamaLLMKeepAliveSeconds: optional(wholeNumber),
  OllamaLLMPerformanceMode: choice(["base", "maximum"]),
  OllamaLLMAuthToken: () => null,
  GenericOpenAiBasePath: webAddress,
  GenericOpenAiKey: () => null,
  GenericOpenAiModelPref: notEmpty,
  GenericOpenAiTokenLimit: positiveNumber,
  GenericOpenAiMaxTokens: positiveNumber,
  EmbeddingBasePath: all(notEmpty, webAddress),
  EmbeddingModelPref: notEmpty,
  EmbeddingModelMaxChunkLength: positiveNumber,
  EmbeddingOutputDimensions: optional(positiveNumber),
  OllamaEmbeddingBatchSize: positiveNumber,
  GenericOpenAiEmbeddingApiKey: () => null,
  GenericOpenAiEmbeddingMaxConcurrentChunks: positiveNumber,
  GenericOpenAiEmbeddingPassagePrefix: () => null,
  GenericOpenAiEmbeddingQueryPrefix: () => null,
  ...vectorSettingRules,
};

/**
 * The wire's text for what is wrong with the value, or null. Keys that no provider knows are not
 * judged.
 */
export function validateSetting(key: string, value: string): string | null {
  return Object.hasOwn(rules, key) ? rules[key]!(value) : null;
}

const declared = [...languageProviders, ...embeddingProviders, ...vectorProviders].flatMap(
  (declaration) => declaration.fields,
);

/** Keys whose values are encrypted where stored and booleans on the wire. */
export const secretSettingKeys: ReadonlySet<string> = new Set(
  declared.filter((field) => field.kind === "secret").map((field) => field.key),
);

/** Every key that a provider or the choice of one may set. */
export const providerSettingKeys: ReadonlySet<string> = new Set(Object.keys(rules));

export const textOf = (settings: Settings, key: string): string | undefined =>
  settings[key]?.trim() || undefined;

/** A positive number, or the fallback where the setting is unset or none. */
export function numberOf(settings: Settings, key: string, fallback: number): number {
  const value = Number(textOf(settings, key));
  return Number.isFinite(value) && value > 0 ? value : fallback;
}
