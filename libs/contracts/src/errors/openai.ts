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
    message: "The embedder isn't ready. Check it in Settings > Embedder.",
  },
} as const satisfies Record<string, ErrorDefinition>;
