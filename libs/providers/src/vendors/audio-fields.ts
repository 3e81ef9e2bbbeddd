import { notEmpty, optional, webAddress, type SettingField } from "@carrel/contracts";

/** Fields of the forms for speech, dictation and transcription (wire-contract.md 11.4). */
export const audioAddress = (key: string, placeholder: string, candidates?: readonly string[]) => ({
  role: "address" as const,
  key,
  label: "address",
  kind: "url" as const,
  required: true,
  placeholder,
  ...(candidates !== undefined && { candidates: [...candidates] }),
  check: webAddress,
});

export const audioKey = (key: string, more: Partial<SettingField> = {}) => ({
  role: "key" as const,
  key,
  label: "key",
  kind: "secret" as const,
  required: true,
  ...more,
});

export const audioModel = (key: string, preferred?: string, more: Partial<SettingField> = {}) => ({
  role: "model" as const,
  key,
  label: "model",
  kind: "model" as const,
  required: true,
  ...(preferred !== undefined && { default: preferred }),
  check: preferred === undefined ? notEmpty : optional(notEmpty),
  ...more,
});

export const audioVoice = (key: string, preferred?: string, more: Partial<SettingField> = {}) => ({
  role: "voice" as const,
  key,
  label: "voice",
  kind: "model" as const,
  required: true,
  ...(preferred !== undefined && { default: preferred }),
  check: notEmpty,
  ...more,
});
