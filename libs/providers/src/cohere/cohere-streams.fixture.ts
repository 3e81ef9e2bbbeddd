import { named, sse, type StreamShape } from "../http/stream-shape.fixture.ts";

const whole = "Alpha Omega.";
const json = "application/json";

// Cohere's chat (docs.cohere.com/reference/chat-stream, v2, 2026).

const cohereSay = (content: object) => ({
  type: "content-delta",
  index: 0,
  delta: { message: { content } },
});
const cohereEnd = (finish_reason: string, more = {}) => ({
  type: "message-end",
  delta: { finish_reason, usage: { tokens: { input_tokens: 1, output_tokens: 2 } }, ...more },
});
const cohereStop = (reason: string) =>
  named({ type: "message-start" }, cohereSay({ text: "Alpha " }), cohereEnd(reason));

export const cohereShapes: StreamShape[] = [
  {
    name: "COMPLETE",
    body:
      named(cohereSay({ text: "Alpha " }), cohereSay({ text: "Omega." }), cohereEnd("COMPLETE")) +
      sse("[DONE]"),
    text: whole,
  },
  { name: "MAX_TOKENS", body: cohereStop("MAX_TOKENS"), text: "Alpha ", reason: "length" },
  { name: "ERROR_LIMIT", body: cohereStop("ERROR_LIMIT"), text: "Alpha ", reason: "length" },
  {
    name: "ERROR_TOXIC",
    body: cohereStop("ERROR_TOXIC"),
    text: "Alpha ",
    reason: "content-filter",
  },
  { name: "TIMEOUT", body: cohereStop("TIMEOUT"), text: "Alpha ", reason: "incomplete" },
  { name: "USER_CANCEL", body: cohereStop("USER_CANCEL"), text: "Alpha ", reason: "incomplete" },
  { name: "a reason that is new", body: cohereStop("NEWEST"), text: "Alpha ", reason: "other" },
  {
    name: "ERROR",
    body: cohereStop("ERROR"),
    text: "Alpha ",
    reason: null,
    fault: ["stopped-with-error"],
  },
  {
    name: "ERROR with words",
    body: named(cohereSay({ text: "Alpha " }), cohereEnd("ERROR", { error: "no such luck" })),
    text: "Alpha ",
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "thinking",
    body: named(cohereSay({ thinking: "Hm." }), cohereSay({ text: whole }), cohereEnd("COMPLETE")),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "thinking in marks",
    body: named(
      cohereSay({ text: `<|START_THINKING|>Hm.<|END_THINKING|>${whole}` }),
      cohereEnd("COMPLETE"),
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "a call alone",
    body: named(
      {
        type: "tool-call-start",
        index: 0,
        delta: {
          message: {
            tool_calls: { id: "t", type: "function", function: { name: "lookup", arguments: "" } },
          },
        },
      } as never,
      { type: "tool-call-end", index: 0 } as never,
      cohereEnd("TOOL_CALL"),
    ),
    calls: ["lookup"],
    reason: "tool-calls",
  },
  {
    name: "an error in place of an event",
    body: sse({ id: "1", message: "no such luck" }),
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "no end",
    body: named(cohereSay({ text: whole })),
    text: whole,
    reason: null,
    fault: ["disconnected"],
  },
  {
    name: "JSON",
    body: JSON.stringify({
      id: "1",
      finish_reason: "COMPLETE",
      message: { role: "assistant", content: [{ type: "text", text: whole }] },
    }),
    contentType: json,
    text: whole,
  },
  {
    name: "an error as JSON",
    body: JSON.stringify({ message: "invalid api token" }),
    contentType: json,
    reason: null,
    fault: ["internal-error", "invalid api token"],
  },
];
