import { named, sse, type StreamShape } from "../http/stream-shape.fixture.ts";

const whole = "Alpha Omega.";
const json = "application/json";

// Anthropic's Messages API (docs.anthropic.com/en/api/messages-streaming, 2026).

const messageStart = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    content: [],
    model: "c",
    stop_reason: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  },
};
const block = (index: number, start: object, ...deltas: object[]) => [
  { type: "content_block_start", index, content_block: start },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const textBlock = (text: string, index = 0) =>
  block(index, { type: "text", text: "" }, { type: "text_delta", text });
const messageEnd = (stop_reason: string) => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence: null },
  usage: { output_tokens: 2 },
});
const messageStop = { type: "message_stop" };
const claude = (stop_reason: string, text = "Alpha ") =>
  named(messageStart, ...textBlock(text), messageEnd(stop_reason), messageStop);

export const anthropicShapes: StreamShape[] = [
  {
    name: "pings and unknown events",
    body: named(
      { type: "ping" },
      messageStart,
      { type: "new_kind" },
      ...textBlock(whole),
      messageEnd("end_turn"),
      messageStop,
    ),
    text: whole,
  },
  { name: "max_tokens", body: claude("max_tokens"), text: "Alpha ", reason: "length" },
  {
    name: "model_context_window_exceeded",
    body: claude("model_context_window_exceeded"),
    text: "Alpha ",
    reason: "length",
  },
  { name: "refusal", body: claude("refusal"), text: "Alpha ", reason: "content-filter" },
  {
    name: "refusal without text",
    body: named(messageStart, messageEnd("refusal"), messageStop),
    reason: "content-filter",
  },
  { name: "pause_turn", body: claude("pause_turn"), text: "Alpha ", reason: "incomplete" },
  { name: "an unknown reason", body: claude("whatever"), text: "Alpha ", reason: "other" },
  {
    name: "a tool alone",
    body: named(
      messageStart,
      ...block(
        0,
        { type: "tool_use", id: "t", name: "lookup", input: {} },
        { type: "input_json_delta", partial_json: "{}" },
      ),
      messageEnd("tool_use"),
      messageStop,
    ),
    calls: ["lookup"],
    reason: "tool-calls",
  },
  {
    name: "thinking",
    body: named(
      messageStart,
      ...block(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "Hm." },
        { type: "signature_delta", signature: "c2ln" },
      ),
      ...block(1, { type: "redacted_thinking", data: "c2VjcmV0" }),
      ...textBlock(whole, 2),
      messageEnd("end_turn"),
      messageStop,
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "thinking in tags",
    body: named(
      messageStart,
      ...textBlock(`<think>Hm.</think>${whole}`),
      messageEnd("end_turn"),
      messageStop,
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "text in the block's start",
    body: named(
      messageStart,
      ...block(0, { type: "text", text: "Alpha " }, { type: "text_delta", text: "Omega." }),
      messageEnd("end_turn"),
      messageStop,
    ),
    text: whole,
  },
  {
    name: "no counts",
    body: named(
      { type: "message_start", message: {} } as never,
      ...textBlock(whole),
      { type: "message_delta", delta: { stop_reason: "end_turn" } } as never,
      messageStop,
    ),
    text: whole,
  },
  {
    name: "a reason without message_stop",
    body: named(messageStart, ...textBlock(whole), messageEnd("end_turn")),
    text: whole,
  },
  {
    name: "an open connection",
    body: named(messageStart, ...textBlock(whole), messageEnd("end_turn")),
    staysOpen: true,
    text: whole,
  },
  {
    name: "[DONE] in place of an end",
    body: named(messageStart, ...textBlock(whole)) + sse("[DONE]"),
    text: whole,
  },
  {
    name: "no end",
    body: named(messageStart, ...textBlock(whole)),
    text: whole,
    reason: null,
    fault: ["disconnected"],
  },
  {
    name: "overloaded",
    body: named(messageStart, ...textBlock("Alpha "), {
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
    } as never),
    text: "Alpha ",
    reason: null,
    fault: ["overloaded", "Overloaded"],
  },
  {
    name: "an error of a gateway",
    body: sse({ type: "error", message: "no such luck" }),
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "JSON",
    body: JSON.stringify({
      id: "m",
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "text", text: whole },
      ],
      stop_reason: "end_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    contentType: json,
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "an error as JSON",
    body: JSON.stringify({
      type: "error",
      error: { type: "authentication_error", message: "Invalid key in 200" },
    }),
    contentType: json,
    reason: null,
    fault: ["key-rejected", "Invalid key in 200"],
  },
  {
    name: "detail",
    body: sse({ detail: "context length exceeded" }),
    reason: null,
    fault: ["prompt-too-long", "context length exceeded"],
  },
];
