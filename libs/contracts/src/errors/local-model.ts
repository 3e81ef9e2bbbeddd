import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of the language models that Carrel runs itself; `model` is a model's name. */
export const localModelErrors = {
  "local-model.downloads-disabled": {
    kind: "CONFLICT",
    message:
      "This server downloads no models. Put the model's GGUF file into the models folder instead.",
  },
  "local-model.not-found": { kind: "NOT_FOUND", message: "This model doesn't exist." },
  "local-model.download-running": {
    kind: "CONFLICT",
    message: "Another model is still being downloaded. Wait until it's done, or cancel it.",
  },
  "local-model.in-use": {
    kind: "CONFLICT",
    message: "{{model}} writes the answers. Choose another model first.",
  },
  "local-model.disk-full": {
    kind: "CONFLICT",
    message: "{{model}} needs {{needed}} GB of disk space, but only {{free}} GB are free.",
  },
  "local-model.disk-ended": {
    kind: "CONFLICT",
    message: "The disk is full, so {{model}} couldn't be downloaded.",
  },
  "local-model.hub-refused": {
    kind: "PROVIDER_FAILED",
    message: "{{host}} answered with status {{status}}.",
  },
  "local-model.damaged": {
    kind: "PROVIDER_FAILED",
    message: "The downloaded file isn't what {{host}} announced, so it was deleted.",
  },
  "local-model.folder-not-writable": {
    kind: "CONFLICT",
    message: "Carrel can't write to the models folder ({{reason}}).",
  },
} as const satisfies Record<string, ErrorDefinition>;
