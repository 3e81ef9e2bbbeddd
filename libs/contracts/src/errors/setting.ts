import type { ErrorDefinition } from "./error-definition.ts";

/** Why a setting isn't valid, with the texts of wire-contract 11. */
export const settingErrors = {
  "setting.secret-unreadable": {
    kind: "SETTING_REFUSED",
    message:
      "The saved {{setting}} can't be read with this instance's secret. Enter it again in Settings > Language model.",
  },
  "setting.fixed": { kind: "SETTING_REFUSED", message: "Cannot set this setting." },
  "setting.locked": {
    kind: "SETTING_REFUSED",
    message: "{{setting}} is set by an environment variable, so it can't be changed here.",
  },
  "setting.unsupported": {
    kind: "SETTING_REFUSED",
    message: "This server doesn't support these settings: {{settings}}.",
  },
  "setting.empty": { kind: "SETTING_REFUSED", message: "Value cannot be empty" },
  "setting.not-a-number": { kind: "SETTING_REFUSED", message: "Value must be a number" },
  "setting.not-positive": {
    kind: "SETTING_REFUSED",
    message: "Value must be greater than zero",
  },
  "setting.too-small": {
    kind: "SETTING_REFUSED",
    message: "Value must be at least {{limit}}",
  },
  "setting.address-invalid": { kind: "SETTING_REFUSED", message: "URL is not a valid URL." },
  "setting.address-ends-with-slash": {
    kind: "SETTING_REFUSED",
    message: "URL cannot end with a slash",
  },
  "setting.address-malformed": { kind: "SETTING_REFUSED", message: "Not a valid URL" },
  "setting.address-without-v1": { kind: "SETTING_REFUSED", message: "URL must include /v1" },
  "setting.hugging-face-address-invalid": {
    kind: "SETTING_REFUSED",
    message: 'Your HF Endpoint should end in ".cloud"',
  },
  "setting.token-limit-invalid": {
    kind: "SETTING_REFUSED",
    message: "Token limit is not a number",
  },
  "setting.model-type-unknown": {
    kind: "SETTING_REFUSED",
    message: "Invalid model type. Must be one of: {{options}}.",
  },
  "setting.safety-setting-unknown": {
    kind: "SETTING_REFUSED",
    message: "Invalid Safety setting. Must be one of {{options}}.",
  },
  "setting.key-prefix-missing": {
    kind: "SETTING_REFUSED",
    message: "{{vendor}} Key must start with {{prefix}}",
  },
  "setting.option-unknown": {
    kind: "SETTING_REFUSED",
    message: "{{value}} isn't one of {{options}}.",
  },
  "setting.postgres-scheme-missing": {
    kind: "SETTING_REFUSED",
    message: "Invalid Postgres connection string. Must start with postgresql://",
  },
  "setting.postgres-spaces": {
    kind: "SETTING_REFUSED",
    message: "Invalid Postgres connection string. Must not contain spaces.",
  },
  "setting.collection-prefix-invalid": {
    kind: "SETTING_REFUSED",
    message: "A prefix can have at most 60 letters, digits, - and _.",
  },
  "setting.language-provider-unknown": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} is not a valid LLM provider.",
  },
  "setting.embedder-unknown": {
    kind: "SETTING_REFUSED",
    message: "Invalid Embedding model type. Must be one of {{providers}}.",
  },
  "setting.vector-store-unknown": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} is not a valid vector database. Allowed: {{providers}}.",
  },
  "setting.speech-provider-unknown": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} is not a valid TTS provider.",
  },
  "setting.dictation-provider-unknown": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} is not a valid STT provider.",
  },
  "setting.transcription-provider-unknown": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} is not a valid transcription model provider.",
  },
  "setting.whisper-model-unknown": {
    kind: "SETTING_REFUSED",
    message: "{{value}} is not a valid Whisper model selection.",
  },
} as const satisfies Record<string, ErrorDefinition>;
