import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of the models that run on this instance: the built-in embedder and reranker. */
export const embedderErrors = {
  "embedder.downloads-disabled": {
    kind: "UNAVAILABLE",
    message:
      "The model of the built-in embedder isn't in the models folder, and downloads are disabled.",
  },
  "embedder.not-downloaded": {
    kind: "UNAVAILABLE",
    message: "The model of the built-in embedder is downloaded on first use.",
  },
  "embedder.downloading": {
    kind: "UNAVAILABLE",
    message: "The model of the built-in embedder is being downloaded.",
  },
  "embedder.download-failed": {
    kind: "UNAVAILABLE",
    message:
      "The model of the built-in embedder couldn't be downloaded from the model hub. {{reason}} Full-text search works in the meantime. Carrel will retry in {{minutes}} min.",
  },
  "embedder.model-missing": {
    kind: "UNAVAILABLE",
    message: "The model of the built-in embedder isn't in the models folder.",
  },
  "embedder.failed": {
    kind: "PROVIDER_FAILED",
    message: "The built-in embedder failed: {{details}}",
  },
  "embedder.stopped": {
    kind: "PROVIDER_FAILED",
    message: "The built-in embedder stopped: {{details}}",
  },
  "local-model.off": {
    kind: "UNAVAILABLE",
    message:
      "Built-in models are off on this instance. An operator can turn them on with CARREL_LOCAL_MODELS=on.",
  },
  "local-model.missing": {
    kind: "SETTING_REFUSED",
    message: "The model {{file}} isn't in the models folder. Choose another one.",
  },
  "local-model.unreadable": {
    kind: "SETTING_REFUSED",
    message: "Carrel can't run the model {{file}}: {{details}}",
  },
  "local-model.too-large": {
    kind: "SETTING_REFUSED",
    message:
      "The model {{file}} needs about {{needed}} GB of memory, but only {{free}} GB are free. Choose a smaller one.",
  },
  "local-model.stopped": {
    kind: "PROVIDER_FAILED",
    message: "The built-in model stopped unexpectedly. The next question will start it again.",
  },
  "local-model.failed": {
    kind: "PROVIDER_FAILED",
    message: "The built-in model failed: {{details}}",
  },
  "reranker.downloads-disabled": {
    kind: "UNAVAILABLE",
    message:
      "The reranker's model {{model}} isn't in the models folder, and downloads are disabled.",
  },
  "reranker.downloading": {
    kind: "UNAVAILABLE",
    message: "The reranker's model {{model}} is being downloaded.",
  },
  "reranker.download-failed": {
    kind: "UNAVAILABLE",
    message: "The reranker's model {{model}} couldn't be downloaded from the model hub. {{reason}}",
  },
  "reranker.model-unsupported": {
    kind: "SETTING_REFUSED",
    message: "{{model}} isn't a supported reranker. Choose one of: {{models}}.",
  },
  "reranker.language-model-missing": {
    kind: "SETTING_REFUSED",
    message: "This workspace answers without a language model, so none can rerank its passages.",
  },
  "reranker.scores-missing": {
    kind: "PROVIDER_FAILED",
    message: "The language model didn't return a number for each passage.",
  },
  "reranker.timed-out": { kind: "TIMEOUT", message: "The reranker took too long." },
  "reranker.failed": {
    kind: "PROVIDER_FAILED",
    message: "The built-in reranker failed: {{details}}",
  },
  "reranker.stopped": {
    kind: "PROVIDER_FAILED",
    message: "The built-in reranker stopped: {{details}}",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults of the built-in transcription. */
export const whisperErrors = {
  "whisper.model-unsupported": {
    kind: "SETTING_REFUSED",
    message: "{{model}} isn't a supported Whisper model. Choose one of: {{models}}.",
  },
  "whisper.downloads-disabled": {
    kind: "UNAVAILABLE",
    message:
      "The model {{model}} isn't in the models folder, and downloads are disabled. An admin can choose another provider in Settings > Transcription, or put the model into the models folder.",
  },
  "whisper.downloading": {
    kind: "UNAVAILABLE",
    message: "The model {{model}} is being downloaded. Try again when it's complete.",
  },
  "whisper.download-failed": {
    kind: "UNAVAILABLE",
    message:
      "The model {{model}} couldn't be downloaded from the model hub. {{reason}} An admin can choose another provider in Settings > Transcription, or put the model into the models folder.",
  },
  "whisper.ffmpeg-missing": {
    kind: "UNSUPPORTED",
    message:
      "This recording's format needs ffmpeg, which isn't installed on the server. Without it, only WAV, MP3, FLAC and Ogg Opus can be transcribed.",
  },
  "whisper.recording-damaged": {
    kind: "UNSUPPORTED",
    message: "The recording is damaged or contains no sound.",
  },
  "whisper.recording-too-long": {
    kind: "UNSUPPORTED",
    message: "The recording is longer than {{hours}} hours.",
  },
  "whisper.failed": {
    kind: "PROVIDER_FAILED",
    message: "The built-in transcription failed: {{details}}",
  },
  "whisper.stopped": {
    kind: "PROVIDER_FAILED",
    message: "The built-in transcription stopped: {{details}}",
  },
} as const satisfies Record<string, ErrorDefinition>;

/**
 * Faults of model vendors. `status` is empty or the reply's status in parentheses, with a space in
 * front; `said` is empty or `provider.said`.
 */
export const providerErrors = {
  /** The vendor's own message, appended to a sentence about the fault. */
  "provider.said": { kind: "PROVIDER_FAILED", message: "It says: {{words}}" },
  "provider.key-rejected": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} rejected the key{{status}}. Check it in the settings. {{said}}",
  },
  "provider.quota-used-up": {
    kind: "PROVIDER_FAILED",
    message: "You've used up your quota at {{vendor}}. Check your plan there. {{said}}",
  },
  "provider.overloaded": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} is overloaded. Try again in a moment. {{said}}",
  },
  "provider.content-filtered": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}}'s content filter blocked this question. Rephrase it. {{said}}",
  },
  "provider.rate-limited": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} is rate limiting requests. Try again in a moment. {{said}}",
  },
  "provider.prompt-too-long": {
    kind: "PROVIDER_FAILED",
    message: "The conversation and its passages are too long for this model. {{said}}",
  },
  "provider.model-unknown": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} doesn't know this model or address. {{said}}",
  },
  "provider.request-rejected": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} rejected the request{{status}}. {{said}}",
  },
  "provider.internal-error": {
    kind: "PROVIDER_FAILED",
    message: "The model server returned an error{{status}}. {{said}}",
  },
  "provider.stopped-with-error": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} stopped with an error before the answer finished.",
  },
  "provider.went-silent": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} stopped responding before the answer finished.",
  },
  "provider.disconnected": {
    kind: "PROVIDER_FAILED",
    message: "The connection dropped before the answer finished.",
  },
  "provider.timed-out": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} didn't respond in time at {{origin}}.",
  },
  /** For connection tests, which run where the settings are. */
  "provider.test-without-key": { kind: "SETTING_REFUSED", message: "Enter an API key first." },
  "provider.test-without-address": { kind: "SETTING_REFUSED", message: "Enter the address first." },
  "provider.test-without-model": { kind: "SETTING_REFUSED", message: "Choose a model first." },
  "provider.test-timed-out": {
    kind: "PROVIDER_FAILED",
    message:
      "{{vendor}} didn't answer within {{seconds}} seconds. If it's still loading the model, try again in a moment.",
  },
  "provider.key-for-other-address": {
    kind: "SETTING_REFUSED",
    message: "The saved key was entered for another address. Enter it again to test this one.",
  },
  "provider.audio-missing": {
    kind: "PROVIDER_FAILED",
    message: "The provider sent no audio.",
  },
  "provider.without-connection": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} works without a connection, so there is nothing to test.",
  },
  "provider.not-a-model-server": {
    kind: "PROVIDER_FAILED",
    message:
      "{{origin}} answered, but not as a model server. Check the base URL: it often ends in /v1.",
  },
  "provider.unreachable": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't reach {{vendor}} at {{origin}}.",
  },
  "provider.connection-refused": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't reach {{vendor}} at {{origin}} (connection refused).",
  },
  "provider.host-unknown": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't reach {{vendor}} at {{origin}} (unknown host).",
  },
  "provider.dns-failed": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't reach {{vendor}} at {{origin}} (DNS lookup failed).",
  },
  "provider.address-invalid": {
    kind: "SETTING_REFUSED",
    message: "The provider's address isn't a valid URL. Check it in the settings.",
  },
  "provider.key-missing": {
    kind: "SETTING_REFUSED",
    message: "No API key is set for {{vendor}}. Enter one in the settings.",
  },
  "provider.address-missing": {
    kind: "SETTING_REFUSED",
    message: "No address is set for {{vendor}}. Enter one in the settings.",
  },
  "provider.model-missing": {
    kind: "SETTING_REFUSED",
    message: "No model is selected for {{vendor}}. Choose one in the settings.",
  },
  "provider.model-not-allowed": {
    kind: "SETTING_REFUSED",
    message: "An admin hasn't allowed {{model}}. Choose another model.",
  },
  "provider.settings-incomplete": {
    kind: "SETTING_REFUSED",
    message: "The settings of {{vendor}} are incomplete.",
  },
  "provider.without-language-models": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} doesn't provide language models.",
  },
  "provider.without-embeddings": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} doesn't provide embeddings.",
  },
  "provider.without-speech": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} doesn't provide speech.",
  },
  "provider.without-dictation": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} doesn't provide dictation.",
  },
  "provider.without-transcription": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} doesn't provide transcription.",
  },
  "provider.without-images": {
    kind: "SETTING_REFUSED",
    message: "{{provider}} doesn't provide images.",
  },
  "provider.files-unsupported": {
    kind: "UNSUPPORTED",
    message: "{{vendor}} accepts text and images, but not files.",
  },
  "provider.vectors-missing": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} didn't return a vector for every text.",
  },
  "provider.vector-length-wrong": {
    kind: "PROVIDER_FAILED",
    message:
      "{{vendor}} returned vectors of {{length}} dimensions instead of {{expected}}. Check the model and the dimensions in the settings.",
  },
  "provider.text-too-long": {
    kind: "PROVIDER_FAILED",
    message: "This text is too long for {{vendor}}'s embedding model. {{said}}",
  },
  "provider.reply-unreadable": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} sent a reply that Carrel can't read.",
  },
  "provider.image-missing": {
    kind: "PROVIDER_FAILED",
    message: "{{vendor}} didn't send an image.",
  },
  "provider.without-model-list": {
    kind: "SETTING_REFUSED",
    message: "Invalid provider for custom models",
  },
  "provider.models-unlisted": {
    kind: "PROVIDER_FAILED",
    message: "The models couldn't be listed.",
  },
  "provider.cancelled": { kind: "PROVIDER_FAILED", message: "The request was canceled." },
} as const satisfies Record<string, ErrorDefinition>;
