import { all, notEmpty, positiveNumber, webAddress, type SettingField } from "@carrel/contracts";

/** What a field of an embedder's form is for. */
export type EmbedderRole =
  | "address"
  | "key"
  | "model"
  | "longest"
  | "batch"
  | "dimensions"
  | "passagePrefix"
  | "queryPrefix";
export type EmbedderField = SettingField & { role: EmbedderRole };

/** Settings that most embedders share (wire-contract.md 11.2). */
export const embeddingModel = (
  preferred?: string,
  more: Partial<SettingField> = {},
): EmbedderField => ({
  role: "model",
  key: "EmbeddingModelPref",
  label: "model",
  kind: "model",
  required: true,
  ...(preferred !== undefined && { default: preferred }),
  check: notEmpty,
  ...more,
});

export const embeddingAddress = (
  placeholder: string,
  candidates?: readonly string[],
): EmbedderField => ({
  role: "address",
  key: "EmbeddingBasePath",
  label: "address",
  kind: "url",
  required: true,
  placeholder,
  ...(candidates !== undefined && { candidates: [...candidates] }),
  check: all(notEmpty, webAddress),
});

export const maxChunkLength: EmbedderField = {
  role: "longest",
  key: "EmbeddingModelMaxChunkLength",
  label: "longestPassage",
  kind: "number",
  required: false,
  default: 1000,
  min: 1,
  check: positiveNumber,
};

export const outputDimensions: EmbedderField = {
  role: "dimensions",
  key: "EmbeddingOutputDimensions",
  label: "dimensions",
  kind: "number",
  required: false,
  min: 1,
  advanced: true,
};

/** The key of an embedder, often the same as for the vendor's language models. */
export const embeddingKey = (key: string, more: Partial<SettingField> = {}): EmbedderField => ({
  role: "key",
  key,
  label: "key",
  kind: "secret",
  required: true,
  ...more,
});

export const optionalEmbeddingKey = (
  key: string,
  more: Partial<SettingField> = {},
): EmbedderField => embeddingKey(key, { required: false, ...more });

export const embeddingBatch = (key: string, label: string, texts: number): EmbedderField => ({
  role: "batch",
  key,
  label,
  kind: "number",
  required: false,
  default: texts,
  min: 1,
  advanced: true,
  check: positiveNumber,
});

export const embeddingPrefix = (role: "passagePrefix" | "queryPrefix", key: string) =>
  ({
    role,
    key,
    label: role,
    kind: "text",
    required: false,
    default: "",
    advanced: true,
  }) satisfies EmbedderField;
