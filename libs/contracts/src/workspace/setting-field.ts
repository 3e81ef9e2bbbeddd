import type { KnownFault } from "../errors/fault.ts";
import type { ProviderDeclaration, ProviderField } from "./provider.ts";
import { anything, notEmpty, oneOf, optional, positiveNumber, webAddress } from "./setting-rule.ts";
import type { SettingRule } from "./setting-rule.ts";

/** A form field as declared by a provider or vector store, with its validation. */
export interface SettingField extends ProviderField {
  /** Defaults to the check for its kind. Fields with the same key share one check. */
  check?: SettingRule;
  /** Other keys under which existing clients send and read it (wire-contract 11). */
  aliases?: readonly string[];
}

const checks: Record<ProviderField["kind"], (field: SettingField) => SettingRule> = {
  secret: ({ required }) => (required ? notEmpty : anything),
  text: ({ required }) => (required ? notEmpty : anything),
  model: ({ required }) => (required ? notEmpty : anything),
  url: () => webAddress,
  number: ({ required }) => (required ? positiveNumber : optional(positiveNumber)),
  select: ({ options = [] }) => optional(oneOf(options)),
};

/** Returns what is wrong with a value of this field, or null. */
export const checkSettingField = (field: SettingField, value: string): KnownFault | null =>
  (field.check ?? checks[field.kind](field))(value);

/** Returns the part of a field that is sent to the web app. */
export function describeField({
  check: _check,
  aliases: _aliases,
  ...field
}: SettingField): ProviderField {
  return field;
}

/** Setting key that stores the chosen provider of each kind. */
export const providerChoiceKeys = {
  language: "LLMProvider",
  embedding: "EmbeddingEngine",
  vector: "VectorDB",
  speech: "TextToSpeechProvider",
  dictation: "SpeechToTextProvider",
  transcription: "WhisperProvider",
} as const satisfies Record<ProviderDeclaration["kind"], string>;
