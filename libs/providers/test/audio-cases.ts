import {
  createDictationModel,
  createSpeechModel,
  createTranscriptionModel,
  type SpeechModel,
  type TranscriptionModel,
} from "@carrel/providers";

/** The key that the fake accepts. */
export const key = "sk-media-0123456789";

interface AudioCase<Model> {
  id: string;
  settings: Record<string, string>;
  /** What a request to the vendor reveals of the settings. */
  expected: object;
  /** The vendor takes no key. */
  isOpen?: true;
  create(): Model;
}
type AudioSettings = Omit<AudioCase<never>, "create">;

const hosted = (url: string) => ({ baseUrl: `${url}/v1` });

const speechSettings = (url: string): AudioSettings[] => [
  {
    id: "openai",
    settings: { TTSOpenAIKey: key, TTSOpenAIVoiceModel: "nova" },
    expected: {
      path: "/v1/audio/speech",
      body: { model: "tts-1", voice: "nova", input: "One two three.", response_format: "mp3" },
    },
  },
  {
    id: "elevenlabs",
    settings: { TTSElevenLabsKey: key, TTSElevenLabsVoiceModel: "a/b" },
    expected: {
      path: "/v1/text-to-speech/a%2Fb/stream",
      headers: { "xi-api-key": key },
      body: { text: "One two three.", model_id: "eleven_multilingual_v2" },
    },
  },
  {
    id: "kokoro",
    settings: { TTSKokoroEndpoint: `${url}/v1/`, TTSKokoroKey: key },
    expected: {
      path: "/v1/audio/speech",
      body: { model: "kokoro", voice: "af_bella", input: "One two three." },
    },
  },
  {
    id: "generic-openai",
    settings: {
      TTSOpenAICompatibleEndpoint: `${url}/v1`,
      TTSOpenAICompatibleKey: key,
      TTSOpenAICompatibleModel: "small",
      TTSOpenAICompatibleVoiceModel: "deep",
    },
    expected: {
      path: "/v1/audio/speech",
      headers: { authorization: `Bearer ${key}` },
      body: { model: "small", voice: "deep" },
    },
  },
];
export const speechCases = (url: string): AudioCase<SpeechModel>[] =>
  speechSettings(url).map((each) => ({
    ...each,
    create: () => createSpeechModel(each.id, each.settings, hosted(url)),
  }));

const dictationSettings = (url: string): AudioSettings[] => [
  {
    id: "openai",
    settings: { OpenAiKey: key },
    expected: { path: "/v1/audio/transcriptions", model: "whisper-1" },
  },
  {
    id: "groq",
    settings: { STTGroqApiKey: key },
    expected: { path: "/v1/audio/transcriptions", model: "whisper-large-v3-turbo" },
  },
  {
    id: "deepgram",
    settings: { STTDeepgramApiKey: key },
    expected: { path: "/v1/listen", headers: { authorization: `Token ${key}` } },
  },
  {
    id: "lemonade",
    settings: { STTLemonadeBasePath: url, STTLemonadeModelPref: "Whisper-Tiny" },
    expected: { path: "/api/v1/audio/transcriptions", model: "Whisper-Tiny" },
    isOpen: true,
  },
  {
    id: "generic-openai",
    settings: {
      STTOpenAICompatibleEndpoint: `${url}/v1`,
      STTOpenAICompatibleKey: key,
      STTOpenAICompatibleModel: "small",
    },
    expected: { path: "/v1/audio/transcriptions", model: "small" },
  },
];
export const dictationCases = (url: string): AudioCase<TranscriptionModel>[] =>
  dictationSettings(url).map((each) => ({
    ...each,
    create: () => createDictationModel(each.id, each.settings, hosted(url)),
  }));

const transcriptionSettings = (url: string): AudioSettings[] => [
  { id: "openai", settings: { OpenAiKey: key }, expected: { model: "whisper-1" } },
  {
    id: "generic-openai",
    settings: {
      WhisperGenericOpenAiBaseUrl: `${url}/v1`,
      WhisperGenericOpenAiApiKey: key,
      WhisperGenericOpenAiModel: "large",
    },
    expected: { model: "large" },
  },
];
export const transcriptionCases = (url: string): AudioCase<TranscriptionModel>[] =>
  transcriptionSettings(url).map((each) => ({
    ...each,
    create: () =>
      createTranscriptionModel(each.id, each.settings, { ...hosted(url), modelsDir: "" }),
  }));
