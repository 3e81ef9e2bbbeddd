import { named, sse, type StreamShape } from "../http/stream-shape.fixture.ts";

// Cohere's chat (docs.cohere.com/reference/chat-stream, v2, 2026), and what gateways make of it.

const start = (index: number, id: string | undefined, name: string, input: unknown = "") => ({
  type: "tool-call-start",
  index,
  delta: {
    message: {
      tool_calls: { ...(id !== undefined && { id }), function: { name, arguments: input } },
    },
  },
});
const add = (index: number, input: unknown) => ({
  type: "tool-call-delta",
  index,
  delta: { message: { tool_calls: { function: { arguments: input } } } },
});
const stop = (index: number) => ({ type: "tool-call-end", index });
const end = (finish_reason: string) => ({ type: "message-end", delta: { finish_reason } });
const one = { calls: ["lookup"], inputs: [{ a: 1 }], reason: "tool-calls" } as const;
const two = {
  calls: ["lookup", "time"],
  inputs: [{ a: 1 }, { b: 2 }],
  reason: "tool-calls",
} as const;

export const cohereToolCalls: StreamShape[] = [
  {
    name: "an input in pieces",
    body: named(start(0, "t", "lookup"), add(0, '{"a"'), add(0, ":1}"), stop(0), end("TOOL_CALL")),
    ...one,
  },
  {
    name: "a call without its end",
    body: named(start(0, "t", "lookup"), add(0, '{"a":1}'), end("TOOL_CALL")),
    ...one,
  },
  {
    name: "a call with COMPLETE",
    body: named(start(0, "t", "lookup", '{"a":1}'), stop(0), end("COMPLETE")),
    ...one,
  },
  { name: "the reason without a call", body: named(end("TOOL_CALL")) },
  {
    name: "pieces mixed",
    body: named(
      start(0, "t1", "lookup"),
      start(1, "t2", "time"),
      add(1, '{"b"'),
      add(0, '{"a":1}'),
      add(1, ":2}"),
      stop(1),
      stop(0),
      end("TOOL_CALL"),
    ),
    calls: ["time", "lookup"],
    inputs: [{ b: 2 }, { a: 1 }],
    reason: "tool-calls",
  },
  {
    name: "no id",
    body: named(start(0, undefined, "lookup", '{"a":1}'), stop(0), end("TOOL_CALL")),
    ...one,
  },
  {
    name: "one id for two calls",
    body: named(
      start(0, "t", "lookup", '{"a":1}'),
      stop(0),
      start(1, "t", "time", '{"b":2}'),
      stop(1),
      end("TOOL_CALL"),
    ),
    ...two,
  },
  {
    name: "an object as input",
    body: named(start(0, "t", "lookup", { a: 1 }), stop(0), end("TOOL_CALL")),
    ...one,
  },
  {
    name: "an input twice",
    body: named(start(0, "t", "lookup", '{"a":1}'), add(0, '{"a":1}'), stop(0), end("TOOL_CALL")),
    ...one,
  },
  {
    name: "a call and [DONE] in place of an end",
    body: named(start(0, "t", "lookup", '{"a":1}')) + sse("[DONE]"),
    ...one,
  },
];
