import { named, sse, type StreamShape } from "../http/stream-shape.fixture.ts";

const whole = "Alpha Omega.";
const json = "application/json";

// OpenAI's Responses (openai-openapi, 2026).

const say = (delta: string) => ({
  type: "response.output_text.delta",
  item_id: "i",
  output_index: 0,
  content_index: 0,
  delta,
});
const response = (status: string, more = {}) => ({
  id: "r",
  object: "response",
  status,
  output: [],
  usage: { input_tokens: 1, output_tokens: 2 },
  ...more,
});
const ended = (type: string, status: string, more = {}) => ({
  type: `response.${type}`,
  response: response(status, more),
});
const message = (content: object) => ({
  output: [
    { type: "message", id: "i", role: "assistant", status: "completed", content: [content] },
  ],
});

export const responsesShapes: StreamShape[] = [
  {
    name: "completed",
    body: named(
      { type: "response.created" },
      say("Alpha "),
      say("Omega."),
      ended("completed", "completed"),
    ),
    text: whole,
  },
  {
    name: "max_output_tokens",
    body: named(
      say("Alpha "),
      ended("incomplete", "incomplete", { incomplete_details: { reason: "max_output_tokens" } }),
    ),
    text: "Alpha ",
    reason: "length",
  },
  {
    name: "content_filter",
    body: named(
      say("Alpha "),
      ended("incomplete", "incomplete", { incomplete_details: { reason: "content_filter" } }),
    ),
    text: "Alpha ",
    reason: "content-filter",
  },
  {
    name: "incomplete",
    body: named(say("Alpha "), ended("incomplete", "incomplete")),
    text: "Alpha ",
    reason: "incomplete",
  },
  {
    name: "failed",
    body: named(
      say("Alpha "),
      ended("failed", "failed", { error: { code: "server_error", message: "no such luck" } }),
    ),
    text: "Alpha ",
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "refusal",
    body: named(
      { type: "response.refusal.delta", delta: "No." } as never,
      ended("completed", "completed"),
    ),
    text: "No.",
  },
  {
    name: "reasoning",
    body: named(
      { type: "response.reasoning_summary_text.delta", delta: "Hm." } as never,
      say(whole),
      ended("completed", "completed"),
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "reasoning in tags",
    body: named(say(`<think>Hm.</think>${whole}`), ended("completed", "completed")),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "an error",
    body: named(say("Alpha "), {
      type: "error",
      code: "rate_limit_exceeded",
      message: "no such luck",
      param: null,
    } as never),
    text: "Alpha ",
    reason: null,
    fault: ["rate-limited", "no such luck"],
  },
  {
    name: "a call alone",
    body: named(
      {
        type: "response.output_item.added",
        item: { type: "function_call", id: "i", call_id: "t", name: "lookup", arguments: "" },
      } as never,
      {
        type: "response.output_item.done",
        item: { type: "function_call", id: "i", call_id: "t", name: "lookup", arguments: "{}" },
      } as never,
      ended("completed", "completed"),
    ),
    calls: ["lookup"],
    reason: "tool-calls",
  },
  {
    name: "text only in the end",
    body: named(ended("completed", "completed", message({ type: "output_text", text: whole }))),
    text: whole,
  },
  {
    name: "JSON",
    body: JSON.stringify(
      response("completed", message({ type: "output_text", text: whole })),
      null,
      2,
    ),
    contentType: json,
    text: whole,
  },
  {
    name: "JSON with a refusal",
    body: JSON.stringify(response("completed", message({ type: "refusal", refusal: "No." }))),
    contentType: json,
    text: "No.",
  },
  {
    name: "an error as JSON",
    body: JSON.stringify({ error: { message: "Invalid key in 200", code: 401 } }),
    contentType: json,
    reason: null,
    fault: ["key-rejected", "Invalid key in 200"],
  },
  { name: "[DONE] in place of an end", body: named(say(whole)) + sse("[DONE]"), text: whole },
  { name: "no end", body: named(say(whole)), text: whole, reason: null, fault: ["disconnected"] },
  {
    name: "detail",
    body: sse({ detail: [{ msg: "no such luck" }] }),
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
];
