import { sse, type StreamShape } from "../http/stream-shape.fixture.ts";

const whole = "Alpha Omega.";
const json = "application/json";

// Gemini's API (ai.google.dev/api/generate-content, v1beta, 2026).

const piece = (parts: object[] | null, finishReason?: string) => ({
  candidates: [
    {
      ...(parts && { content: { parts, role: "model" } }),
      ...(finishReason && { finishReason }),
      index: 0,
    },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 },
});
const stopped = (finishReason: string) =>
  sse(piece([{ text: "Alpha " }]), piece(null, finishReason));

export const geminiShapes: StreamShape[] = [
  {
    name: "STOP",
    body: sse(piece([{ text: "Alpha " }]), piece([{ text: "Omega." }], "STOP")),
    text: whole,
  },
  {
    name: "thoughts",
    body: sse(piece([{ text: "Hm.", thought: true }]), piece([{ text: whole }], "STOP")),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "thoughts in tags",
    body: sse(piece([{ text: `<thought>Hm.</thought>${whole}` }], "STOP")),
    reasoning: "Hm.",
    text: whole,
  },
  ...["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"].map(
    (reason): StreamShape => ({
      name: reason,
      body: stopped(reason),
      text: "Alpha ",
      reason: "content-filter",
    }),
  ),
  ...["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "OTHER"].map(
    (reason): StreamShape => ({
      name: reason,
      body: stopped(reason),
      text: "Alpha ",
      reason: "incomplete",
    }),
  ),
  { name: "MAX_TOKENS", body: stopped("MAX_TOKENS"), text: "Alpha ", reason: "length" },
  { name: "SAFETY without text", body: sse(piece(null, "SAFETY")), reason: "content-filter" },
  { name: "a reason that is new", body: stopped("NEWEST"), text: "Alpha ", reason: "other" },
  {
    name: "a blocked prompt",
    body: sse({
      promptFeedback: { blockReason: "SAFETY" },
      usageMetadata: { promptTokenCount: 1 },
    }),
    reason: null,
    fault: ["content-filtered", "SAFETY"],
  },
  {
    name: "a blocked prompt with its message",
    body: sse({ promptFeedback: { blockReason: "OTHER", blockReasonMessage: "no such luck" } }),
    reason: null,
    fault: ["content-filtered", "no such luck"],
  },
  {
    name: "no end",
    body: sse(piece([{ text: whole }])),
    text: whole,
    reason: null,
    fault: ["disconnected"],
  },
  { name: "[DONE]", body: sse(piece([{ text: whole }]), "[DONE]"), text: whole },
  {
    name: "a list",
    body: JSON.stringify(
      [piece([{ text: "Alpha " }]), piece([{ text: "Omega." }], "STOP")],
      null,
      2,
    ),
    contentType: json,
    text: whole,
  },
  {
    name: "one object",
    body: JSON.stringify(piece([{ text: whole }], "STOP"), null, 2),
    contentType: json,
    text: whole,
  },
  {
    name: "an error",
    body: sse(piece([{ text: "Alpha " }]), {
      error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" },
    }),
    text: "Alpha ",
    reason: null,
    fault: ["overloaded", "The model is overloaded."],
  },
  {
    name: "an error in a list",
    body: JSON.stringify([
      {
        error: {
          code: 429,
          message: "no such luck",
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "18s" }],
        },
      },
    ]),
    contentType: json,
    reason: null,
    fault: ["rate-limited", "no such luck"],
  },
  {
    name: "detail",
    body: sse({ detail: "no such luck" }),
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
];
