import type { KnownFault } from "../errors/fault.ts";
import type { ProviderDeclaration, ProviderField } from "./provider.ts";

/** Returns what is wrong with a setting's text (wire-contract.md 11), or null. */
export type SettingRule = (value: string) => KnownFault | null;

export const anything: SettingRule = () => null;

export const notEmpty: SettingRule = (value) =>
  value.trim() === "" ? { code: "setting.empty" } : null;

export const positiveNumber: SettingRule = (value) => {
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isNaN(number)) return { code: "setting.not-a-number" };
  return number > 0 ? null : { code: "setting.not-positive" };
};

export const atLeast =
  (least: number): SettingRule =>
  (value) =>
    positiveNumber(value) ??
    (Number(value) >= least ? null : { code: "setting.too-small", params: { limit: least } });

export const wholeNumber: SettingRule = (value) =>
  /^-?\d+$/.test(value.trim()) ? null : { code: "setting.not-a-number" };

const parseWebAddress = (value: string): URL | null => {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url && (url.protocol === "http:" || url.protocol === "https:") ? url : null;
};

export const webAddress: SettingRule = (value) =>
  parseWebAddress(value) ? null : { code: "setting.address-invalid" };

export const webAddressWithoutSlash: SettingRule = (value) => {
  if (parseWebAddress(value) === null) return { code: "setting.address-malformed" };
  return value.endsWith("/") ? { code: "setting.address-ends-with-slash" } : null;
};

export const webAddressWithV1: SettingRule = (value) => {
  if (parseWebAddress(value) !== null && !value.includes("v1"))
    return { code: "setting.address-without-v1" };
  return webAddressWithoutSlash(value);
};

/** Hugging Face's inference endpoints (wire-contract 11.1). */
export const huggingFaceAddress: SettingRule = (value) =>
  parseWebAddress(value)?.hostname.endsWith(".cloud") === true
    ? null
    : { code: "setting.hugging-face-address-invalid" };

/** @param vendor whose key it is */
export const startsWith =
  (prefix: string, vendor: string): SettingRule =>
  (value) =>
    value.startsWith(prefix)
      ? null
      : { code: "setting.key-prefix-missing", params: { vendor, prefix } };

export const oneOf =
  (
    options: readonly string[],
    code:
      | "setting.option-unknown"
      | "setting.model-type-unknown"
      | "setting.safety-setting-unknown"
      | "setting.whisper-model-unknown" = "setting.option-unknown",
  ): SettingRule =>
  (value) =>
    options.includes(value) ? null : { code, params: { value, options: options.join(", ") } };

export const tokenLimit: SettingRule = (value) =>
  positiveNumber(value) === null ? null : { code: "setting.token-limit-invalid" };

/** Accepts an empty value. */
export const optional =
  (rule: SettingRule): SettingRule =>
  (value) =>
    value.trim() === "" ? null : rule(value);

/** Returns the first error found by any of the rules. */
export const all =
  (...rules: SettingRule[]): SettingRule =>
  (value) => {
    for (const rule of rules) {
      const fault = rule(value);
      if (fault !== null) return fault;
    }
    return null;
  };

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
