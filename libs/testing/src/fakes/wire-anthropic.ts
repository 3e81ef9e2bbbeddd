import { countPromptTokens, lastUserText, type FakeUsage, type FakeWire } from "./wire.ts";

// Shapes after Anthropic's published Messages API, version 2026-10-21, as typed in its SDK 1.11.0
// (RawMessageStreamEvent,
// Message, ErrorResponse); the events are those of 2023-06-01 with more fields.

const stopReason = { stop: "end_turn", length: "max_tokens", filter: "refusal" } as const;
const errorType = (status: number) =>
  ({
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  })[status] ?? "api_error";

export const anthropicWire: FakeWire = {
  protocol: "anthropic",
  contentType: "text/event-stream; charset=utf-8",
  malformed: 'event: content_block_delta\ndata: {"type":"content_bl\n\n',
  errorBody: (status, error) => ({
    type: "error",
    error: {
      type: error?.type ?? errorType(status),
      message:
        error?.message ??
        (status === 401
          ? "invalid x-api-key"
          : status === 429
            ? "Number of request tokens has exceeded your per-minute rate limit"
            : "Internal server error"),
    },
    request_id: "req_fake",
  }),
  read: (body) => ({
    model: String(body.model),
    stream: body.stream === true,
    lastMessage: lastUserText(body.messages),
    promptTokens: countPromptTokens([body.system, body.messages]),
    includeUsage: true,
  }),
  writer({ model }) {
    let index = -1;
    let open: "text" | "thinking" | null = null;
    const event = (type: string, fields: Record<string, unknown>) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
    const close = () =>
      open === null
        ? ""
        : (open === "thinking"
            ? event("content_block_delta", {
                index,
                delta: { type: "signature_delta", signature: "ZmFrZQ==" },
              })
            : "") + event("content_block_stop", { index });
    const block = (kind: "text" | "thinking") => {
      if (open === kind) return "";
      const closed = close();
      open = kind;
      index++;
      return (
        closed +
        event("content_block_start", {
          index,
          content_block:
            kind === "text"
              ? { type: "text", text: "" }
              : { type: "thinking", thinking: "", signature: "" },
        }) +
        (index === 0 ? event("ping", {}) : "")
      );
    };
    return {
      start: (usage) =>
        event("message_start", {
          message: {
            id: "msg_fake",
            type: "message",
            role: "assistant",
            model,
            content: [],
            container: null,
            stop_details: null,
            stop_reason: null,
            stop_sequence: null,
            usage: {
              input_tokens: usage?.inputTokens ?? 0,
              cache_creation_input_tokens: 0,
              cache_read_input_tokens: 0,
              output_tokens: usage ? 1 : 0,
            },
          },
        }),
      reasoning: (text) =>
        block("thinking") +
        event("content_block_delta", { index, delta: { type: "thinking_delta", thinking: text } }),
      text: (token) =>
        block("text") +
        `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":${JSON.stringify(token)}}}\n\n`,
      error: (message) => event("error", { error: { type: "overloaded_error", message } }),
      end: (reason, usage) =>
        close() +
        event("message_delta", {
          delta: {
            container: null,
            stop_details: null,
            stop_reason: stopReason[reason],
            stop_sequence: null,
          },
          usage: { output_tokens: usage?.outputTokens ?? 0 },
        }) +
        event("message_stop", {}),
    };
  },
  whole: ({ model }, text, reasoning, reason, usage: FakeUsage | null) => ({
    id: "msg_fake",
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(reasoning ? [{ type: "thinking", thinking: reasoning, signature: "ZmFrZQ==" }] : []),
      { type: "text", text },
    ],
    stop_reason: stopReason[reason as "stop"],
    stop_sequence: null,
    usage: {
      input_tokens: usage?.inputTokens ?? 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: usage?.outputTokens ?? 0,
    },
  }),
};
