import type { ErrorDefinition } from "./error-definition.ts";

/** Why an answer failed, and notices shown along with one. */
export const generationErrors = {
  "generation.not-found": { kind: "GENERATION_NOT_FOUND", message: "There is no such answer." },
  "generation.empty": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} returned an empty answer.",
  },
  "generation.too-long": {
    kind: "TOO_LARGE",
    message: "The answer exceeded {{megabytes}} MB and was stopped. The text so far was kept.",
  },
  "generation.shut-down": {
    kind: "UNAVAILABLE",
    message: "Carrel was shut down while this was being answered. The text so far was kept.",
  },
  "generation.writer-lost": {
    kind: "SERVICE_LOST",
    message:
      "The answer broke off because the part of Carrel that was writing it stopped. The text so far was kept.",
  },
  "generation.conversation-deleted": {
    kind: "CONFLICT",
    message: "The conversation was deleted while this was being answered.",
  },
  "generation.connection-lost": {
    kind: "SERVICE_LOST",
    message: "The connection to the answer was lost. It is kept: load the page again.",
  },
  "generation.unfinished": { kind: "INTERNAL", message: "The answer could not be finished." },
  "generation.failed": {
    kind: "INTERNAL",
    message: "Something went wrong inside Carrel while this was being answered. Its log says what.",
  },
  "generation.daily-limit": {
    kind: "REFUSED",
    message: "You have met your maximum 24 hour chat quota of {{limit}} chats. Try again later.",
  },
  "notice.conversation-reset": { kind: "REFUSED", message: "Chat memory was reset!" },
  "notice.agent-unavailable": {
    kind: "UNSUPPORTED",
    message: "@agent could not be called. Chat will be handled as default chat.",
  },
  "notice.attachments-unsupported": {
    kind: "UNSUPPORTED",
    message:
      "A model can only be shown PNG, JPEG, GIF and WebP images, so these attachments were left out: {{names}}",
  },
  "notice.images-not-seen": {
    kind: "UNSUPPORTED",
    message: "{{model}} cannot see images. The question is answered without them.",
  },
  "notice.images-not-quoted": {
    kind: "UNSUPPORTED",
    message:
      "No language model is set up that could see images: the built-in answerer quotes documents. The question is answered without them.",
  },
} as const satisfies Record<string, ErrorDefinition>;
