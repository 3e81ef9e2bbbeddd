import {
  checkSettingField,
  providerChoiceKeys,
  type ProviderDeclaration,
  type SettingField,
} from "@carrel/contracts";
import { embeddingProviders, languageProviders, providerFields } from "@carrel/providers";
import { vectorFields, vectorProviders } from "@carrel/vector-store";

type ProviderKind = ProviderDeclaration["kind"];

const providersByKind: Record<ProviderKind, readonly ProviderDeclaration[]> = {
  language: languageProviders,
  embedding: embeddingProviders,
  vector: vectorProviders,
};
export const allProviders: ProviderDeclaration[] = Object.values(providersByKind).flat();

export const findProvider = (kind: ProviderKind, id: string): ProviderDeclaration | undefined =>
  providersByKind[kind].find((provider) => provider.id === id);

const choiceKeys: readonly string[] = Object.values(providerChoiceKeys);

/** The provider used until someone chooses one. */
export const defaultProvider = (kind: ProviderKind): string => providersByKind[kind][0]!.id;

/**
 * Provider choices by setting key: the default and a check that returns the wire's error message.
 */
const choices: ReadonlyMap<string, { fallback: string; check: (value: string) => string | null }> =
  new Map([
    [
      providerChoiceKeys.language,
      {
        fallback: defaultProvider("language"),
        check: (value) => {
          if (value.trim() === "") return "Value cannot be empty";
          return findProvider("language", value) ? null : `${value} is not a valid LLM provider.`;
        },
      },
    ],
    [
      providerChoiceKeys.embedding,
      {
        fallback: defaultProvider("embedding"),
        check: (value) => checkChoice("embedding", "embedding engine", value),
      },
    ],
    [
      providerChoiceKeys.vector,
      {
        fallback: defaultProvider("vector"),
        check: (value) => checkChoice("vector", "vector database", value),
      },
    ],
  ]);

function checkChoice(kind: ProviderKind, what: string, value: string): string | null {
  if (findProvider(kind, value)) return null;
  const allowed = providersByKind[kind].map(({ id }) => id).join(", ");
  return `${value} is not a valid ${what}. Allowed: ${allowed}.`;
}

/** The value that applies while a choice is unset; '' for every other key. */
export const defaultSetting = (key: string): string => choices.get(key)?.fallback ?? "";

const fields: ReadonlyMap<string, SettingField> = new Map(
  [...providerFields, ...vectorFields].map((field) => [field.key, field]),
);

/** Keys the wire refuses here, because they have dedicated operations. */
export const refusedKeys = new Set(["AuthToken", "JWTSecret"]);

export const settingKinds: ReadonlyMap<string, "plain" | "secret"> = new Map([
  ...choiceKeys.map((key) => [key, "plain"] as const),
  ...[...fields].map(([key, { kind }]) => [key, kind === "secret" ? "secret" : "plain"] as const),
]);

/** Why a value is invalid, in the wire's words (wire-contract.md 11); null if it is valid. */
export function validateSetting(key: string, value: string): string | null {
  const choice = choices.get(key);
  if (choice) return choice.check(value);
  const field = fields.get(key);
  return field ? checkSettingField(field, value) : null;
}
