import { expect } from "@jest/globals";
import { row, type AccessRow } from "./access-row.ts";

const by = (
  operation: string,
  call: [string, string, unknown?],
  body: unknown,
  more: Partial<AccessRow> = {},
): AccessRow => row(`gateway.openai.${operation}`, "key", () => call, body, more);

const refused = (message: string, param: string | null = null) => ({
  error: { message, type: "invalid_request_error", param, code: null },
});
const [completions, responses] = ["/v1/openai/chat/completions", "/v1/openai/responses"];
const model = { id: "w", object: "model", created: expect.any(Number), owned_by: "extractive" };
const question = { role: "user", content: "Hello?" };
/** What the fixture of the chat service replies to any question. */
const text = "Chat memory was reset!";
const badInput: Partial<AccessRow> = { status: 400 };

/** wire-contract 9.6. */
export const openAiRows: AccessRow[] = [
  by("models", ["GET", "/v1/openai/models"], { object: "list", data: [model] }),
  by("model", ["GET", "/v1/openai/models/w"], model),
  by(
    "model",
    ["GET", "/v1/openai/models/nothing"],
    { error: { code: "model_not_found", param: "model" } },
    { status: 404 },
  ),
  by("chat-completion", ["POST", completions, { model: "w", messages: [question] }], {
    id: expect.any(String),
    object: "chat.completion",
    created: expect.any(Number),
    model: "w",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text },
        logprobs: null,
        finish_reason: "no_content",
      },
    ],
    usage: {},
  }),
  by(
    "chat-completion",
    ["POST", completions, { model: "w", messages: [question], stream: true }],
    undefined,
    { kind: "bytes" },
  ),
  by(
    "chat-completion",
    ["POST", completions, { model: "nothing", messages: [question] }],
    undefined,
    { status: 401, kind: "empty" },
  ),
  by(
    "chat-completion",
    ["POST", completions, { model: "w", messages: [question, { role: "assistant", content: "" }] }],
    { type: "abort", textResponse: null, sources: [], close: true, error: expect.any(String) },
    badInput,
  ),
  by(
    "chat-completion",
    ["POST", completions, { model: "w", messages: [] }],
    { error: { param: "messages", message: expect.stringContaining("messages") } },
    badInput,
  ),
  by(
    "chat-completion",
    ["POST", completions, { model: "w", messages: [question], tools: [{ type: "web_search" }] }],
    { error: { param: "tools[0].type", message: expect.stringContaining("tools") } },
    badInput,
  ),
  by("vector-stores", ["GET", "/v1/openai/vector_stores"], {
    data: [
      {
        id: "w",
        object: "vector_store",
        name: expect.any(String),
        file_counts: { total: 0 },
        provider: "lancedb",
      },
    ],
    first_id: "w",
    last_id: "w",
    has_more: false,
  }),
  by("vector-stores", ["GET", "/v1/openai/vector_stores?limit=1"], { data: [], has_more: false }),
  by("embeddings", ["POST", "/v1/openai/embeddings", { inputs: "pump" }], {
    object: "list",
    data: [{ object: "embedding", embedding: [0.5, -1], index: 0 }],
    model: "an-embedder",
    usage: { prompt_tokens: 3, total_tokens: 3 },
  }),
  by(
    "embeddings",
    ["POST", "/v1/openai/embeddings", {}],
    refused("The input is missing.", "input"),
    badInput,
  ),
  by(
    "embeddings",
    ["POST", "/v1/openai/embeddings", { input: "pump", dimensions: 256 }],
    refused(
      "This embedder's vectors have 2 dimensions. Leave out dimensions or set it to 2.",
      "dimensions",
    ),
    badInput,
  ),
  ...[0, -1, 1.5, "20", 10_000_001].flatMap((limit) => [
    by(
      "chat-completion",
      ["POST", completions, { model: "w", messages: [question], max_tokens: limit }],
      { error: { type: "invalid_request_error", param: "max_tokens" } },
      badInput,
    ),
    by(
      "response",
      ["POST", responses, { model: "w", input: "Hello?", max_output_tokens: limit }],
      { error: { type: "invalid_request_error", param: "max_output_tokens" } },
      badInput,
    ),
  ]),
  by("response", ["POST", responses, { model: "w", input: "Hello?" }], {
    object: "response",
    status: "completed",
    model: "w",
    output: [
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text, annotations: [] }],
      },
    ],
    usage: null,
  }),
  by(
    "response",
    ["POST", responses, { model: "w", input: "And then?", previous_response_id: "resp_1" }],
    refused(
      "previous_response_id isn't supported. Send the whole conversation with each request.",
      "previous_response_id",
    ),
    badInput,
  ),
  by("response", ["POST", responses, { model: "nothing", input: "Hello?" }], undefined, {
    status: 401,
    kind: "empty",
  }),
];
