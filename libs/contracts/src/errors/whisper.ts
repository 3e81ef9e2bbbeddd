import type { ErrorDefinition } from "./error-definition.ts";

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
