import { anything, notEmpty, oneOf, optional, positiveNumber, webAddress } from "./setting-rule.ts";
import type { SettingRule } from "./setting-rule.ts";
import type { ProviderDeclaration, ProviderField } from "./provider.ts";

/** A form field as a provider or vector store declares it, with the check of its value. */
export interface SettingField extends ProviderField {
  /** Defaults to what its kind suggests. Fields with the same key share one check. */
  check?: SettingRule;
}

const checks: Record<ProviderField["kind"], (field: SettingField) => SettingRule> = {
  secret: ({ required }) => (required ? notEmpty : anything),
  text: ({ required }) => (required ? notEmpty : anything),
  model: ({ required }) => (required ? notEmpty : anything),
  url: () => webAddress,
  number: ({ required }) => (required ? positiveNumber : optional(positiveNumber)),
  select: ({ options = [] }) =>
    optional(oneOf(options, (value) => `${value} is not one of ${options.join(", ")}.`)),
};

/** What is wrong with a value of this field, in the wire's words, or null. */
export const checkSettingField = (field: SettingField, value: string): string | null =>
  (field.check ?? checks[field.kind](field))(value);

/** The part of a field that travels to the web app. */
export function describeField({ check: _check, ...field }: SettingField): ProviderField {
  return field;
}

/** The setting that holds the choice of a provider of each kind. */
export const providerChoiceKeys = {
  language: "LLMProvider",
  embedding: "EmbeddingEngine",
  vector: "VectorDB",
} as const satisfies Record<ProviderDeclaration["kind"], string>;
