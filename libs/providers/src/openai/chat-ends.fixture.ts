import { sse, type StreamShape } from "../http/stream-shape.fixture.ts";
import { head, choice, alpha, omega, stop, usage, whole } from "./chat-chunks.fixture.ts";

export const chatEnds: StreamShape[] = [
  { name: "[done] in small letters", body: sse(alpha, omega, "[done]"), text: whole },
  { name: "[DONE] in quotes", body: sse(alpha, omega, '"[DONE]"'), text: whole },
  {
    name: "a broken connection after the reason",
    body: sse(alpha, omega, stop),
    breaks: true,
    text: whole,
  },
  {
    name: "a broken connection",
    body: sse(alpha),
    breaks: true,
    text: "Alpha ",
    reason: null,
    fault: ["disconnected"],
  },
  { name: "[DONE] without a reason", body: sse(alpha, omega, "[DONE]"), text: whole },
  { name: "[DONE] with blanks", body: `${sse(alpha, omega)}data: [DONE]  \n\n`, text: whole },
  { name: "[DONE] without its blank line", body: `${sse(alpha, omega)}data: [DONE]`, text: whole },
  { name: "[DONE] without data:", body: `${sse(alpha, omega)}[DONE]\n`, text: whole },
  {
    name: "no end at all",
    body: sse(alpha, omega),
    text: whole,
    reason: null,
    fault: ["disconnected"],
  },
  { name: "a reason, then nothing", body: sse(alpha, omega, stop), text: whole },
  { name: "an open connection", body: sse(alpha, omega, stop), staysOpen: true, text: whole },
  {
    name: "counts in place of a reason",
    body: sse(alpha, omega, { ...head, choices: [], usage }),
    text: whole,
  },
  {
    name: "counts before the end",
    body: sse({ ...alpha, usage }, omega, { ...stop, usage }),
    text: whole,
  },
  { name: "a reason twice", body: sse(alpha, omega, stop, stop, "[DONE]"), text: whole },
  { name: "text after the reason", body: sse(alpha, stop, omega, "[DONE]"), text: whole },
  {
    name: "a reason with the text",
    body: sse(alpha, choice({ content: "Omega." }, "stop")),
    text: whole,
  },
  { name: "an empty reason", body: sse(choice({ content: whole }, ""), "[DONE]"), text: whole },
  {
    name: "an unknown reason",
    body: sse(alpha, omega, choice({}, "whatever")),
    text: whole,
    reason: "other",
  },
  {
    name: "the length",
    body: sse(alpha, choice({}, "length"), "[DONE]"),
    text: "Alpha ",
    reason: "length",
  },
  {
    name: "a filter",
    body: sse(alpha, choice({}, "content_filter"), "[DONE]"),
    text: "Alpha ",
    reason: "content-filter",
  },
  {
    name: "an abort",
    body: sse(alpha, choice({}, "abort"), "[DONE]"),
    text: "Alpha ",
    reason: "incomplete",
  },
  {
    name: "an error",
    body: sse(alpha, choice({ content: "" }, "error"), "[DONE]"),
    text: "Alpha ",
    reason: null,
    fault: ["stopped-with-error"],
  },
  {
    name: "an error in the choice",
    body: sse(alpha, {
      ...head,
      choices: [
        {
          index: 0,
          delta: { content: "" },
          finish_reason: "error",
          error: { code: 502, message: "Upstream fell over" },
        },
      ],
    }),
    text: "Alpha ",
    reason: null,
    fault: ["internal-error", "Upstream fell over"],
  },
];
