import type { InstanceConfig } from "@carrel/config";
import {
  agentSettingKeys,
  all,
  anything,
  checkSettingField,
  defaultMaxToolCalls,
  defaultRerankerTopN,
  oneOf,
  positiveNumber,
  providerChoiceKeys,
  searchProviders,
  telemetryKey,
  wholeNumber,
  type KnownFault,
  type ProviderDeclaration,
  type SettingField,
  type SettingRule,
} from "@carrel/contracts";
import { isMetadataHost } from "@carrel/egress";
import {
  dictationProviders,
  embeddingProviders,
  languageProviders,
  providerFields,
  speechProviders,
  transcriptionProviders,
} from "@carrel/providers";
import { vectorFields, vectorProviders } from "@carrel/vector-store";

type ProviderKind = ProviderDeclaration["kind"];

const providersByKind: Record<ProviderKind, readonly ProviderDeclaration[]> = {
  language: languageProviders,
  embedding: embeddingProviders,
  vector: vectorProviders,
  speech: speechProviders,
  dictation: dictationProviders,
  transcription: transcriptionProviders,
};
export const allProviders: ProviderDeclaration[] = Object.values(providersByKind).flat();

export const findProvider = (kind: ProviderKind, id: string): ProviderDeclaration | undefined =>
  providersByKind[kind].find((provider) => provider.id === id);

const listIds = (kind: ProviderKind): string =>
  providersByKind[kind].map(({ id }) => id).join(", ");

const choiceKeys: readonly string[] = Object.values(providerChoiceKeys);

/** The provider used until someone chooses one. */
const defaultProvider = (kind: ProviderKind): string => providersByKind[kind][0]!.id;

/** The choice of an audio provider, whose refusal names the value. */
const audioChoice = (
  kind: ProviderKind,
  code:
    | "setting.speech-provider-unknown"
    | "setting.dictation-provider-unknown"
    | "setting.transcription-provider-unknown",
): [string, { fallback: string; check: SettingRule }] => [
  providerChoiceKeys[kind],
  {
    fallback: defaultProvider(kind),
    check: (provider) => (findProvider(kind, provider) ? null : { code, params: { provider } }),
  },
];

/** Provider choices by setting key: the default and a check. */
const choices: ReadonlyMap<string, { fallback: string; check: SettingRule }> = new Map([
  [
    providerChoiceKeys.language,
    {
      fallback: defaultProvider("language"),
      check: (value) => {
        if (value.trim() === "") return { code: "setting.empty" };
        return findProvider("language", value)
          ? null
          : { code: "setting.language-provider-unknown", params: { provider: value } };
      },
    },
  ],
  [
    providerChoiceKeys.embedding,
    {
      fallback: defaultProvider("embedding"),
      check: (value) =>
        findProvider("embedding", value)
          ? null
          : { code: "setting.embedder-unknown", params: { providers: listIds("embedding") } },
    },
  ],
  [
    providerChoiceKeys.vector,
    {
      fallback: defaultProvider("vector"),
      check: (provider) =>
        findProvider("vector", provider)
          ? null
          : {
              code: "setting.vector-store-unknown",
              params: { provider, providers: listIds("vector") },
            },
    },
  ],
  audioChoice("speech", "setting.speech-provider-unknown"),
  audioChoice("dictation", "setting.dictation-provider-unknown"),
  audioChoice("transcription", "setting.transcription-provider-unknown"),
]);

/** Existing clients write these as text. */
const switches: ReadonlySet<string> = new Set([telemetryKey]);

/** Embedders share some settings, which hold the chosen embedder's values. */
export const isSharedByEmbedders = (key: string): boolean =>
  embeddingProviders.filter(({ fields }) => fields.some((field) => field.key === key)).length > 1;

/** Settings of agents that belong to no search provider. */
const agentChecks: ReadonlyMap<string, SettingRule> = new Map([
  [agentSettingKeys.maxToolCalls, all(wholeNumber, positiveNumber)],
  [agentSettingKeys.rerankerEnabled, oneOf(["true", "false"])],
  [agentSettingKeys.rerankerTopN, all(wholeNumber, positiveNumber)],
]);

/** Any of them may be empty, and only addresses are checked (wire-contract 11). */
const searchFields: readonly SettingField[] = searchProviders
  .flatMap(({ fields }) => fields)
  .map((field) => ({
    ...field,
    required: false,
    ...(field.kind !== "url" && { check: anything }),
  }));

/** The value that applies while a choice is unset; '' for every other key. */
export const defaultSetting = (key: string): string => choices.get(key)?.fallback ?? "";

/** Defaults of the fields that have one, by setting key. */
const fieldDefaults: ReadonlyMap<string, string> = new Map(
  [...providerFields, ...vectorFields].flatMap(({ key, default: value }) =>
    value === undefined ? [] : [[key, String(value)] as const],
  ),
);

/** What existing clients' forms show for fields without a default (wire-contract 11.1). */
const clientDefaults: ReadonlyMap<string, string> = new Map(
  providerFields.flatMap(({ key, clientDefault }) =>
    clientDefault === undefined ? [] : [[key, String(clientDefault)] as const],
  ),
);

const fields: ReadonlyMap<string, SettingField> = new Map(
  [...providerFields, ...vectorFields, ...searchFields].map((field) => [field.key, field]),
);

/** Settings by other keys that existing clients' forms use. */
export const settingAliases: ReadonlyMap<string, string> = new Map(
  [...fields.values(), ...providerFields].flatMap(({ key, aliases = [] }) =>
    aliases.map((alias) => [alias, key] as const),
  ),
);

/** Keys the wire refuses here, because they have dedicated operations. */
export const refusedKeys = new Set(["AuthToken", "JWTSecret"]);

export const settingKinds: ReadonlyMap<string, "plain" | "secret"> = new Map([
  ...[...choiceKeys, ...switches, ...agentChecks.keys()].map((key) => [key, "plain"] as const),
  ...[...fields].map(([key, { kind }]) => [key, kind === "secret" ? "secret" : "plain"] as const),
]);

/** Why a value is invalid (wire-contract.md 11); null if it is valid. */
export function validateSetting(key: string, value: string): KnownFault | null {
  const choice = choices.get(key);
  if (choice) return choice.check(value);
  if (switches.has(key))
    return value === "true" || value === "false"
      ? null
      : { code: "setting.option-unknown", params: { value, options: "true, false" } };
  const agentCheck = agentChecks.get(key);
  if (agentCheck) return value.trim() === "" ? null : agentCheck(value);
  const field = fields.get(key);
  // An empty value unsets the setting.
  if (field === undefined || (!field.required && value.trim() === "")) return null;
  return checkSettingField(field, value) ?? refuseMetadataAddress(value);
}

/** Checked on use as well, when a name has been resolved. */
function refuseMetadataAddress(value: string): KnownFault | null {
  const address = value.trim();
  return URL.canParse(address) && isMetadataHost(new URL(address).hostname)
    ? { code: "egress.metadata-address" }
    : null;
}

export const originOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : null;

/** The origins a secret is sent to. Embedders share an address, so only the chosen one has it. */
export function secretOrigins(secret: string, valueOf: (key: string) => string): Set<string> {
  const origins = [...allProviders, ...searchProviders]
    .filter(
      ({ id, fields, ...provider }) =>
        fields.some(({ key }) => key === secret) &&
        (!("kind" in provider) ||
          provider.kind !== "embedding" ||
          valueOf(providerChoiceKeys.embedding) === id),
    )
    .flatMap(({ fields }) =>
      fields.filter(({ kind }) => kind === "url").map(({ key }) => originOf(valueOf(key))),
    );
  return new Set(origins.filter((origin) => origin !== null));
}

/**
 * Effective settings, including presets from the environment: plain values, and secrets still
 * sealed.
 */
export interface EffectiveSettings {
  values: ReadonlyMap<string, string>;
  secrets: ReadonlyMap<string, string>;
}

/** Environment variables that clients read as settings (wire-contract 1.8). */
export type EnvironmentSwitches = Pick<
  InstanceConfig,
  "DISABLE_VIEW_CHAT_HISTORY" | "WORKSPACE_DELETION_PROTECTION"
>;

export const chosenProvider = (
  settings: EffectiveSettings,
  kind: ProviderDeclaration["kind"],
): string => settings.values.get(providerChoiceKeys[kind]) ?? defaultProvider(kind);

export const hasChosen = (
  settings: EffectiveSettings,
  kind: ProviderDeclaration["kind"],
): boolean => settings.values.has(providerChoiceKeys[kind]);

const modelOf = (settings: EffectiveSettings, kind: "language" | "embedding"): string | null => {
  const field = findProvider(kind, chosenProvider(settings, kind))?.fields.find(
    (each) => each.kind === "model" || each.label === "model",
  );
  if (field === undefined) return null;
  return (
    settings.values.get(field.key) ?? (field.default === undefined ? null : String(field.default))
  );
};
export const languageModel = (settings: EffectiveSettings): string | null =>
  modelOf(settings, "language");
export const embeddingModel = (settings: EffectiveSettings): string | null =>
  modelOf(settings, "embedding");

/** Secrets are true or null here; other values have the wire's types (wire-contract 2.1). */
const mapAgentSettings = ({ values, secrets }: EffectiveSettings): Record<string, unknown> => ({
  ...Object.fromEntries(
    searchFields.map(({ key, kind, default: fallback }) => [
      key,
      kind === "secret"
        ? secrets.has(key) || null
        : (values.get(key) ?? (kind === "select" ? String(fallback) : null)),
    ]),
  ),
  [agentSettingKeys.maxToolCalls]: Number(
    values.get(agentSettingKeys.maxToolCalls) ?? defaultMaxToolCalls,
  ),
  [agentSettingKeys.rerankerEnabled]: values.get(agentSettingKeys.rerankerEnabled) === "true",
  [agentSettingKeys.rerankerTopN]: Number(
    values.get(agentSettingKeys.rerankerTopN) ?? defaultRerankerTopN,
  ),
});

/**
 * The part of /setup-complete that comes from settings (wire-contract 2.1): secrets as booleans,
 * other values as they are or else their defaults; those without either are left out.
 * `LLMProvider` is missing until someone has chosen, because the built-in answerer needs no model.
 */
export function mapSettingsToWire(
  settings: EffectiveSettings,
  switches: EnvironmentSwitches,
): Record<string, unknown> {
  const map: Record<string, unknown> = {
    // Telemetry is off unless an admin turns it on.
    [telemetryKey]: "true",
    EmbeddingOutputDimensions: null,
    PGVectorTableName: "anythingllm_vectors",
    DisableViewChatHistory: switches.DISABLE_VIEW_CHAT_HISTORY,
    WorkspaceDeletionProtection: switches.WORKSPACE_DELETION_PROTECTION,
  };
  for (const [key, kind] of settingKinds) {
    if (kind === "secret") map[key] = settings.secrets.has(key);
    else {
      const value = settings.values.get(key) ?? fieldDefaults.get(key) ?? clientDefaults.get(key);
      if (value !== undefined) map[key] = value;
    }
  }
  Object.assign(map, mapAgentSettings(settings));
  for (const [alias, key] of settingAliases) if (key in map) map[alias] = map[key];
  for (const kind of ["vector", "speech", "dictation", "transcription"] as const)
    map[providerChoiceKeys[kind]] = chosenProvider(settings, kind);
  map.EmbeddingEngine = chosenProvider(settings, "embedding");
  map.EmbeddingModelPref = embeddingModel(settings) ?? undefined;
  map.LLMModel = hasChosen(settings, "language") ? languageModel(settings) : null;
  return map;
}
