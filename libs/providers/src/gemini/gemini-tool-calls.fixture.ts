import { sse, type StreamShape } from "../http/stream-shape.fixture.ts";

// Gemini's API (ai.google.dev/api/generate-content, v1beta, 2026), and what gateways make of it.

const piece = (parts: object[], finishReason?: string) => ({
  candidates: [
    { content: { parts, role: "model" }, ...(finishReason && { finishReason }), index: 0 },
  ],
});
const call = (name: string, args: unknown, id?: string) => ({
  functionCall: { name, ...(args !== undefined && { args }), ...(id !== undefined && { id }) },
});
const one = { calls: ["lookup"], inputs: [{ a: 1 }], reason: "tool-calls" } as const;
const two = {
  calls: ["lookup", "time"],
  inputs: [{ a: 1 }, { b: 2 }],
  reason: "tool-calls",
} as const;
const lookup = call("lookup", { a: 1 });

export const geminiToolCalls: StreamShape[] = [
  {
    name: "a call after STOP",
    body: sse(piece([{ text: "Alpha " }], "STOP"), piece([lookup])),
    ...one,
    text: "Alpha ",
  },
  {
    name: "parallel calls without ids",
    body: sse(piece([lookup, call("time", { b: 2 })], "STOP")),
    ...two,
  },
  {
    name: "one id for two calls",
    body: sse(piece([call("lookup", { a: 1 }, "t")]), piece([call("time", { b: 2 }, "t")], "STOP")),
    ...two,
  },
  { name: "a text as input", body: sse(piece([call("lookup", '{"a":1}')], "STOP")), ...one },
  { name: "no input", body: sse(piece([call("lookup", undefined)], "STOP")), ...one, inputs: [{}] },
  {
    name: "a malformed call",
    body: sse(piece([], "MALFORMED_FUNCTION_CALL")),
    reason: "incomplete",
  },
  { name: "a call and [DONE] in place of an end", body: sse(piece([lookup]), "[DONE]"), ...one },
];
