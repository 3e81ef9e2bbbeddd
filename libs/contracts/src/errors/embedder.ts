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
