import type { ProviderDeclaration } from "@carrel/contracts";

const openAiKey = {
  key: "OpenAiKey",
  label: "key",
  kind: "secret",
  required: true,
  placeholder: "sk-…",
} as const;

/** Some of the server's providers for reading aloud, dictation and transcription. */
export const audioProviders: ProviderDeclaration[] = [
  {
    id: "native",
    name: "Your browser",
    kind: "speech",
    group: "builtin",
    inBrowser: true,
    listsModels: false,
    fields: [],
  },
  {
    id: "elevenlabs",
    name: "ElevenLabs",
    kind: "speech",
    group: "hosted",
    keyUrl: "https://elevenlabs.io/app/settings/api-keys",
    dataPolicyUrl: "https://elevenlabs.io/privacy-policy",
    listsModels: true,
    listId: "elevenlabs-tts",
    fields: [
      { key: "TTSElevenLabsKey", label: "key", kind: "secret", required: true },
      {
        key: "TTSElevenLabsVoiceModel",
        label: "voice",
        kind: "model",
        required: true,
        default: "21m00Tcm4TlvDq8ikWAM",
      },
    ],
  },
  {
    id: "native",
    name: "Your browser",
    kind: "dictation",
    group: "builtin",
    inBrowser: true,
    listsModels: false,
    fields: [],
  },
  {
    id: "openai",
    name: "OpenAI",
    kind: "dictation",
    group: "hosted",
    listsModels: true,
    listId: "openai-stt",
    fields: [
      openAiKey,
      {
        key: "STTOpenAIModel",
        label: "model",
        kind: "model",
        required: true,
        default: "whisper-1",
      },
    ],
  },
  {
    id: "local",
    name: "Whisper",
    kind: "transcription",
    group: "builtin",
    listsModels: false,
    fields: [
      {
        key: "WhisperModelPref",
        label: "model",
        kind: "select",
        required: false,
        default: "Xenova/whisper-small",
        options: ["Xenova/whisper-small", "Xenova/whisper-large"],
      },
    ],
  },
  {
    id: "openai",
    name: "OpenAI",
    kind: "transcription",
    group: "hosted",
    listsModels: false,
    fields: [openAiKey],
  },
];
