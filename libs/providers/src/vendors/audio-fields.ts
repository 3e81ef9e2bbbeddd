import { notEmpty, optional, webAddress, type SettingField } from "@carrel/contracts";
import { addressField, modelField } from "./chat-fields.ts";

/** Fields of the forms for speech, dictation and transcription (wire-contract.md 11.4). */
export const audioAddress = (key: string, placeholder: string, candidates?: readonly string[]) =>
  addressField(key, placeholder, {
    ...(candidates !== undefined && { candidates: [...candidates] }),
    check: webAddress,
  });

export const audioModel = (key: string, preferred?: string, more: Partial<SettingField> = {}) =>
  modelField(key, preferred, {
    check: preferred === undefined ? notEmpty : optional(notEmpty),
    ...more,
  });

export const audioVoice = (key: string, preferred?: string, more: Partial<SettingField> = {}) => ({
  ...modelField(key, preferred, { label: "voice", check: notEmpty, ...more }),
  role: "voice" as const,
});
