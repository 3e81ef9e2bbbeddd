import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of requests in OpenAI's protocol. */
export const openAiErrors = {
  "openai.question-missing": {
    kind: "BAD_INPUT",
    message: "No question found. The last message must be the user's.",
  },
  "openai.tools-unsupported": {
    kind: "BAD_INPUT",
    message: "{{model}} can't call tools. Send the request without tools.",
  },
  "openai.tool-call-unknown": {
    kind: "BAD_INPUT",
    message: "The result for the tool call {{id}} follows no such call.",
  },
  "openai.field-unsupported": {
    kind: "BAD_INPUT",
    message: "{{field}} isn't supported. Send the whole conversation with each request.",
  },
  "openai.dimensions-unsupported": {
    kind: "BAD_INPUT",
    message:
      "This embedder's vectors have {{length}} dimensions. Leave out {{field}} or set it to {{length}}.",
  },
  "openai.image-not-inline": {
    kind: "BAD_INPUT",
    message: "Images must be sent as data URLs, like data:image/png;base64,…",
  },
  "openai.too-many-images": {
    kind: "BAD_INPUT",
    message: "There are too many images. The limit is {{limit}} in one question.",
  },
  "openai.instructions-too-long": {
    kind: "TOO_LARGE",
    message: "The instructions are too long. The limit is {{characters}} characters.",
  },
  "openai.tokens-unknown": {
    kind: "BAD_INPUT",
    message: "The tokens aren't valid in cl100k_base. Send the text instead.",
  },
  "openai.embedder-unavailable": {
    kind: "UNAVAILABLE",
    message: "The embedder isn't ready. Check it in Settings > Embedding.",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults that any request can cause. */
export const requestErrors = {
  "request.failed": {
    kind: "INTERNAL",
    message: "Something went wrong on the server. Its log has the details.",
  },
  "request.invalid": { kind: "BAD_INPUT", message: "{{faults}}" },
  "request.malformed": { kind: "BAD_INPUT", message: "{{reason}}" },
  "request.cursor-invalid": {
    kind: "BAD_INPUT",
    message: "The cursor is invalid. Start with the first page.",
  },
  "request.body-not-object": { kind: "BAD_INPUT", message: "The body must be a JSON object." },
  "request.body-not-json": { kind: "BAD_INPUT", message: "The body isn't valid JSON." },
  "request.body-too-deep": {
    kind: "BAD_INPUT",
    message: "The body is nested too deeply. The limit is {{limit}} levels.",
  },
  "request.body-too-complex": {
    kind: "BAD_INPUT",
    message: "The body has too many values. The limit is {{limit}}.",
  },
  "request.body-null-character": {
    kind: "BAD_INPUT",
    message: "Text must not contain the character U+0000.",
  },
  "request.body-too-slow": {
    kind: "BAD_INPUT",
    message: "The request body arrived too slowly.",
  },
  "request.host-foreign": {
    kind: "FORBIDDEN",
    message:
      "This instance doesn't accept requests under this host name. Set CARREL_PUBLIC_URL to use it, or set a password.",
  },
  "request.origin-foreign": {
    kind: "FORBIDDEN",
    message: "Requests from other sites are not allowed. Set CARREL_CORS_ORIGINS to allow one.",
  },
  "request.address-unknown": {
    kind: "NOT_FOUND",
    message: "This API has no such endpoint.",
  },
  "request.method-unsupported": {
    kind: "UNSUPPORTED",
    message: "This endpoint supports only {{methods}}.",
  },
  "request.range-impossible": {
    kind: "BAD_INPUT",
    message: "The requested range is outside the file.",
  },
  "request.host-invalid": { kind: "BAD_INPUT", message: "The Host header is malformed." },
  "request.too-large": { kind: "TOO_LARGE", message: "The request is too large." },
  "request.reply-too-large": {
    kind: "TOO_LARGE",
    message: "The response is too large to send.",
  },
  "request.timed-out": { kind: "TIMEOUT", message: "The server didn't respond in time." },
  "request.queue-full": {
    kind: "BUSY",
    message: "Too many requests are waiting. Try again in a moment.",
  },
  "request.duplicate": {
    kind: "CONFLICT",
    message: "The same request is already being processed.",
    isRetryable: true,
  },
  "request.connection-lost": {
    kind: "SERVICE_LOST",
    message: "The connection was lost during this request, which may or may not have taken effect.",
  },
  "request.service-lost": {
    kind: "SERVICE_LOST",
    message: "The service stopped during this request, which may or may not have taken effect.",
  },
  "request.given-up": {
    kind: "SERVICE_LOST",
    message: "The service couldn't finish this request.",
  },
  "request.stopping": {
    kind: "UNAVAILABLE",
    message: "The server is shutting down. Try again in a moment.",
  },
  "request.unavailable": {
    kind: "UNAVAILABLE",
    message: "The server is temporarily unavailable. Try again in a moment.",
  },
  /** A disk or a quota of ours is full; see `isStorageFull` in `@carrel/messaging`. */
  "request.storage-full": {
    kind: "UNAVAILABLE",
    message:
      "The server has run out of disk space, so this can't be saved now. Try again once its administrator has freed some.",
  },
  "request.client-left": { kind: "UNAVAILABLE", message: "The client disconnected." },
  "request.no-handler": { kind: "UNSUPPORTED", message: "No service handles {{operation}}." },
  "request.scope-unknown": {
    kind: "UNSUPPORTED",
    message:
      "The service doesn't know this kind of caller. Are all services running the same version?",
  },
} as const satisfies Record<string, ErrorDefinition>;
