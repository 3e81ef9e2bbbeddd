import type { ErrorDefinition } from "./error-definition.ts";

/** Why an answer failed, and notices shown along with one. */
export const generationErrors = {
  "generation.not-found": { kind: "GENERATION_NOT_FOUND", message: "This answer doesn't exist." },
  "generation.empty": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} returned an empty answer.",
  },
  "generation.filtered": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}}'s content filter blocked the answer. Rephrase the question.",
  },
  "generation.only-tool-calls": {
    kind: "PROVIDER_FAILED",
    message:
      "{{provider}} called {{tools}} instead of answering, but this chat has no such tool. Try again or choose another model.",
  },
  "generation.stopped-short": {
    kind: "PROVIDER_FAILED",
    message: "{{provider}} stopped before it wrote an answer. Try again.",
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
      "The answer was interrupted because the process writing it stopped. The text so far was kept.",
  },
  "generation.given-up": {
    kind: "SERVICE_LOST",
    message: "The server stopped {{runs}} times before it could start this answer. Try again.",
  },
  "generation.conversation-deleted": {
    kind: "CONFLICT",
    message: "The conversation was deleted while this was being answered.",
  },
  "generation.connection-lost": {
    kind: "SERVICE_LOST",
    message: "The connection was lost. The answer is kept: reload the page.",
  },
  "generation.unfinished": { kind: "INTERNAL", message: "The answer couldn't be finished." },
  "generation.failed": {
    kind: "INTERNAL",
    message:
      "Something went wrong on the server while this was being answered. Its log has the details.",
  },
  "generation.daily-limit": {
    kind: "REFUSED",
    message: "You have met your maximum 24 hour chat quota of {{limit}} chats. Try again later.",
  },
  "notice.conversation-reset": { kind: "REFUSED", message: "Chat memory was reset!" },
  "notice.history-reset": { kind: "REFUSED", message: "Chat history was reset!" },
  "notice.agent-unavailable": {
    kind: "UNSUPPORTED",
    message: "@agent could not be called. Chat will be handled as default chat.",
  },
  "notice.text-search-only": {
    kind: "UNAVAILABLE",
    message: "{{store}} isn't available, so this answer is based on full-text search only.",
  },
  "notice.embedder-unreachable": {
    kind: "UNAVAILABLE",
    message: "The embedder isn't available, so this answer is based on full-text search only.",
  },
  "notice.stored-text-search": {
    kind: "UNAVAILABLE",
    message: "{{store}} isn't available, so this answer is based on a simpler search of the text.",
  },
  "notice.documents-wait": {
    kind: "UNAVAILABLE",
    message:
      "{{store}} isn't available, so the documents of this workspace can't be searched yet. They will be added automatically once it's back.",
  },
  "notice.attachments-unsupported": {
    kind: "UNSUPPORTED",
    message:
      "Models can only see PNG, JPEG, GIF and WebP images, so these attachments were left out: {{names}}",
  },
  "notice.model-withdrawn": {
    kind: "UNSUPPORTED",
    message: "{{model}} can no longer be chosen, so the workspace's model answered.",
  },
  "notice.model-fallback": {
    kind: "UNAVAILABLE",
    message: "{{unavailable}} couldn't answer, so {{model}} did.",
  },
  "notice.images-not-seen": {
    kind: "UNSUPPORTED",
    message: "{{model}} can't see images, so the question is answered without them.",
  },
  "notice.images-not-quoted": {
    kind: "UNSUPPORTED",
    message:
      "The built-in answerer can't see images, so the question is answered without them. Set up a language model that can.",
  },
  "notice.answer-cut": {
    kind: "REFUSED",
    message:
      "The answer was cut off at the model's length limit. Write “Continue” to get the rest.",
  },
  "notice.answer-filtered": {
    kind: "REFUSED",
    message: "The provider's content filter cut this answer off.",
  },
  "notice.answer-unfinished": {
    kind: "REFUSED",
    message: "The model stopped before this answer was finished. Write “Continue” to get the rest.",
  },
  "notice.summary-partial": {
    kind: "REFUSED",
    message:
      "This summary covers {{covered}} of {{total}} documents. To summarize another one, ask for it by name.",
  },
} as const satisfies Record<string, ErrorDefinition>;
