import { all, notEmpty, positiveNumber, webAddress, type SettingField } from "@carrel/contracts";

/** Settings that most embedders share (wire-contract.md 11.2). */
export const embeddingModel = {
  key: "EmbeddingModelPref",
  label: "model",
  kind: "model",
  required: true,
  check: notEmpty,
} as const satisfies SettingField;

export const embeddingAddress = {
  key: "EmbeddingBasePath",
  label: "address",
  kind: "url",
  required: true,
  check: all(notEmpty, webAddress),
} as const satisfies SettingField;

export const maxChunkLength = {
  key: "EmbeddingModelMaxChunkLength",
  label: "longestPassage",
  kind: "number",
  required: false,
  default: 1000,
  min: 1,
  check: positiveNumber,
} as const satisfies SettingField;

export const outputDimensions = {
  key: "EmbeddingOutputDimensions",
  label: "dimensions",
  kind: "number",
  required: false,
  min: 1,
  advanced: true,
} as const satisfies SettingField;
