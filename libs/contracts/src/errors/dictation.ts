import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of recordings that people dictate. */
export const dictationErrors = {
  "dictation.audio-missing": { kind: "BAD_INPUT", message: "No audio file provided." },
  "dictation.not-audio": { kind: "UNSUPPORTED", message: "The file must be a recording." },
  "dictation.too-large": {
    kind: "TOO_LARGE",
    message: "The recording is larger than {{megabytes}} MB.",
  },
  "dictation.broken": {
    kind: "BAD_INPUT",
    message: "The recording didn't arrive completely.",
  },
  "dictation.busy": {
    kind: "BUSY",
    message: "Too many people are dictating. Try again in a moment.",
  },
  "dictation.in-browser": {
    kind: "DISABLED",
    message:
      "Dictation runs in the browser on this instance. To use the server, choose a dictation provider in the settings.",
  },
} as const satisfies Record<string, ErrorDefinition>;
