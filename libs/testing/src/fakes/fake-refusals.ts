import type { IncomingHttpHeaders } from "node:http";
import type { FakeBehaviour } from "./behaviour.ts";
import { anthropicWire } from "./wire-anthropic.ts";
import type { FakeWire } from "./wire.ts";

interface Refusal {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** The vendors' published messages for a prompt beyond the context window. */
const tooLong = {
  "openai-chat": {
    message:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
    code: "context_length_exceeded",
  },
  "openai-responses": {
    message:
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
    code: "context_length_exceeded",
  },
  anthropic: { message: "prompt is too long: 208310 tokens > 200000 maximum" },
  ollama: { message: "the input length exceeds the context length" },
  gemini: {
    message:
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  },
  cohere: {
    message:
      "too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 130000. Try using a shorter prompt.",
  },
  bedrock: { message: "Input is too long for requested model." },
};

/** The messages of llama.cpp and Ollama for images without a vision model. */
const noImages = {
  message:
    "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
};

/** Why a vendor would refuse this request; null if it would answer. */
export function findRefusal(
  request: { headers: IncomingHttpHeaders; body: Record<string, unknown> },
  behaviour: FakeBehaviour,
  /** The chat protocol of the request; undefined for lists and embeddings. */
  wire: FakeWire | undefined,
  errorBody: FakeWire["errorBody"],
): Refusal | null {
  const { refusesImages, promptLimit, status, error, retryAfter } = behaviour;
  const json = JSON.stringify(request.body);
  if (wire && refusesImages !== undefined && /"(?:image_url|input_image|images|image)"/.test(json))
    return { status: refusesImages, body: wire.errorBody(refusesImages, noImages) };
  if (wire && promptLimit !== undefined && json.length > promptLimit)
    return { status: 400, body: wire.errorBody(400, tooLong[wire.protocol]) };
  if (status !== undefined)
    return {
      status,
      body: errorBody(status, error),
      ...(retryAfter !== undefined && { headers: { "retry-after": String(retryAfter) } }),
    };
  // This version removed sampling parameters; 2023-06-01 still accepts them.
  if (
    wire === anthropicWire &&
    request.headers["anthropic-version"] !== "2023-06-01" &&
    "temperature" in request.body
  )
    return {
      status: 400,
      body: errorBody(400, { message: "temperature: Extra inputs are not permitted" }),
    };
  return null;
}
