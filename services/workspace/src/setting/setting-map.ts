import type { InstanceConfig } from "@carrel/config";
import { providerChoiceKeys, telemetryKey, type ProviderDeclaration } from "@carrel/contracts";
import {
  allProviders,
  clientDefaults,
  defaultProvider,
  fieldDefaults,
  findProvider,
  settingAliases,
  settingKinds,
} from "./setting-definition.ts";

export const originOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : null;

/** The origins a secret is sent to. Embedders share an address, so only the chosen one has it. */
export function secretOrigins(secret: string, valueOf: (key: string) => string): Set<string> {
  const origins = allProviders
    .filter(
      ({ id, kind, fields }) =>
        fields.some(({ key }) => key === secret) &&
        (kind !== "embedding" || valueOf(providerChoiceKeys.embedding) === id),
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
export type Switches = Pick<
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

/**
 * The part of /setup-complete that comes from settings (wire-contract 2.1): secrets as booleans,
 * other values as they are or else their defaults; those without either are left out.
 * `LLMProvider` is missing until someone has chosen, because the built-in answerer needs no model.
 */
export function mapSettingsToWire(
  settings: EffectiveSettings,
  switches: Switches,
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
  for (const [alias, key] of settingAliases) if (key in map) map[alias] = map[key];
  for (const kind of ["vector", "speech", "dictation", "transcription"] as const)
    map[providerChoiceKeys[kind]] = chosenProvider(settings, kind);
  map.EmbeddingEngine = chosenProvider(settings, "embedding");
  map.EmbeddingModelPref = embeddingModel(settings) ?? undefined;
  map.LLMModel = hasChosen(settings, "language") ? languageModel(settings) : null;
  return map;
}
