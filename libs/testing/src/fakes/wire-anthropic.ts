import {
  countPromptTokens,
  lastUserText,
  splitInput,
  type FakeFinishReason,
  type FakeToolCall,
  type FakeUsage,
  type FakeWire,
  type FakeWriter,
} from "./wire.ts";

// Based on Anthropic's published Messages API, version 2026-10-21, as typed in its SDK 1.11.0
// (RawMessageStreamEvent, Message, Usage, ErrorResponse); the events are those of 2023-06-01 with
// more fields.

const stopReason = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
  "tool-calls": "tool_use",
} as const;
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

/** Anthropic doesn't count cached tokens among the input tokens. */
const inputUsage = (usage: FakeUsage | null) => ({
  input_tokens: (usage?.inputTokens ?? 0) - (usage?.cachedTokens ?? 0),
  cache_creation: null,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage?.cachedTokens ?? 0,
  server_tool_use: null,
});
const outputUsage = (usage: FakeUsage | null) => ({
  output_tokens: usage?.outputTokens ?? 0,
  output_tokens_details: usage ? { thinking_tokens: usage.reasoningTokens } : null,
});

const toolBlock = ({ id, name }: FakeToolCall, input: unknown) => ({
  type: "tool_use",
  id,
  name,
  input,
  caller: { type: "direct" },
});

/** Opens a content block with its first piece; each ends when the next begins. */
class MessageWriter implements FakeWriter {
  private index = -1;
  private open: "text" | "thinking" | null = null;

  constructor(private readonly model: string) {}

  start(usage: FakeUsage | null): string {
    return event("message_start", {
      message: {
        id: "msg_fake",
        type: "message",
        role: "assistant",
        model: this.model,
        content: [],
        container: null,
        stop_details: null,
        stop_reason: null,
        stop_sequence: null,
        usage: {
          ...inputUsage(usage),
          output_tokens: usage ? 1 : 0,
          output_tokens_details: null,
        },
      },
    });
  }

  reasoning(text: string): string {
    return (
      this.begin("thinking") +
      event("content_block_delta", {
        index: this.index,
        delta: { type: "thinking_delta", thinking: text },
      })
    );
  }

  text(token: string): string {
    return (
      this.begin("text") +
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.index},"delta":{"type":"text_delta","text":${JSON.stringify(token)}}}\n\n`
    );
  }

  toolCall(call: FakeToolCall): string {
    const closing = this.close();
    const index = ++this.index;
    return (
      closing +
      event("content_block_start", { index, content_block: toolBlock(call, {}) }) +
      ["", ...splitInput(call)]
        .map((partial_json) =>
          event("content_block_delta", {
            index,
            delta: { type: "input_json_delta", partial_json },
          }),
        )
        .join("") +
      event("content_block_stop", { index })
    );
  }

  error(message: string): string {
    return event("error", { error: { type: "overloaded_error", message } });
  }

  end(reason: FakeFinishReason, usage: FakeUsage | null): string {
    return (
      this.close() +
      event("message_delta", {
        delta: {
          container: null,
          stop_details: null,
          stop_reason: stopReason[reason],
          stop_sequence: null,
        },
        usage: { ...inputUsage(usage), ...outputUsage(usage) },
      }) +
      event("message_stop", {})
    );
  }

  private begin(kind: "text" | "thinking"): string {
    if (this.open === kind) return "";
    const closing = this.close();
    this.open = kind;
    const index = ++this.index;
    return (
      closing +
      event("content_block_start", {
        index,
        content_block:
          kind === "text"
            ? { type: "text", text: "" }
            : { type: "thinking", thinking: "", signature: "" },
      }) +
      (index === 0 ? event("ping", {}) : "")
    );
  }

  private close(): string {
    if (this.open === null) return "";
    const { index } = this;
    const signature =
      this.open === "thinking"
        ? event("content_block_delta", {
            index,
            delta: { type: "signature_delta", signature: "ZmFrZQ==" },
          })
        : "";
    this.open = null;
    return signature + event("content_block_stop", { index });
  }
}

const event = (type: string, fields: Record<string, unknown>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

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
  writer: ({ model }) => new MessageWriter(model),
  whole: ({ model }, { text, reasoning, toolCalls, reason, usage }) => ({
    id: "msg_fake",
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(reasoning ? [{ type: "thinking", thinking: reasoning, signature: "ZmFrZQ==" }] : []),
      ...(text || toolCalls.length === 0 ? [{ type: "text", text }] : []),
      ...toolCalls.map((call) => toolBlock(call, call.input)),
    ],
    stop_reason: stopReason[reason],
    stop_sequence: null,
    usage: { ...inputUsage(usage), ...outputUsage(usage) },
  }),
};
