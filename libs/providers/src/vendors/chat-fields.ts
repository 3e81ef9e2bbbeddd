import { atLeast, optional, type SettingField } from "@carrel/contracts";

/** Fields that most forms of language models have, each with its role. */
export const keyField = (key: string, more: Partial<SettingField> = {}) => ({
  role: "key" as const,
  key,
  label: "key",
  kind: "secret" as const,
  required: true,
  ...more,
});

export const optionalKeyField = (key: string) => keyField(key, { required: false });

export const modelField = (key: string, preferred?: string, more: Partial<SettingField> = {}) => ({
  role: "model" as const,
  key,
  label: "model",
  kind: "model" as const,
  required: true,
  ...(preferred !== undefined && { default: preferred }),
  ...more,
});

/** Validated as a URL with `more.check`; by default any URL. */
export const addressField = (
  key: string,
  placeholder: string,
  more: Partial<SettingField> = {},
) => ({
  role: "address" as const,
  key,
  label: "address",
  kind: "url" as const,
  required: true,
  placeholder,
  ...more,
});

export const windowField = (key: string, tokens = 4096, more: Partial<SettingField> = {}) => ({
  role: "contextWindow" as const,
  key,
  label: "contextWindow",
  kind: "number" as const,
  required: true,
  default: tokens,
  min: 1,
  ...more,
});

export const maxTokensField = (key: string, tokens: number) => ({
  role: "maxTokens" as const,
  key,
  label: "longestAnswer",
  kind: "number" as const,
  required: true,
  default: tokens,
  min: 1,
});

/** The shortest timeout (wire-contract 11.1). */
export const shortestTimeoutMs = 500;

export const timeoutField = (key: string) => ({
  role: "timeout" as const,
  key,
  label: "streamTimeout",
  kind: "number" as const,
  required: false,
  default: shortestTimeoutMs,
  min: shortestTimeoutMs,
  advanced: true,
  check: optional(atLeast(shortestTimeoutMs)),
});
