import { named, sse, type StreamShape } from "../http/stream-shape.fixture.ts";

// Anthropic's Messages API (docs.anthropic.com, 2026), as gateways and local servers get it wrong.

const start = (index: number, id: string | undefined, name: string, input: unknown = {}) => ({
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", ...(id !== undefined && { id }), name, input },
});
const add = (index: number, partial_json: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json },
});
const stop = (index: number) => ({ type: "content_block_stop", index });
const end = (stop_reason: string) => ({ type: "message_delta", delta: { stop_reason } });
const over = { type: "message_stop" };
const one = { calls: ["lookup"], inputs: [{ a: 1 }], reason: "tool-calls" } as const;
const two = {
  calls: ["lookup", "time"],
  inputs: [{ a: 1 }, { b: 2 }],
  reason: "tool-calls",
} as const;

export const anthropicToolCalls: StreamShape[] = [
  {
    name: "an input in pieces",
    body: named(
      start(0, "t", "lookup"),
      add(0, ""),
      add(0, '{"a"'),
      add(0, ":1}"),
      stop(0),
      end("tool_use"),
      over,
    ),
    ...one,
  },
  {
    name: "a call without its end",
    body: named(start(0, "t", "lookup"), add(0, '{"a":1}'), end("tool_use"), over),
    ...one,
  },
  {
    name: "a call with end_turn",
    body: named(start(0, "t", "lookup"), add(0, '{"a":1}'), stop(0), end("end_turn"), over),
    ...one,
  },
  { name: "the reason without a call", body: named(end("tool_use"), over) },
  {
    name: "an input at the beginning",
    body: named(start(0, "t", "lookup", { a: 1 }), stop(0), end("tool_use"), over),
    ...one,
  },
  {
    name: "an input at the beginning and again",
    body: named(
      start(0, "t", "lookup", { a: 1 }),
      add(0, '{"a":1}'),
      stop(0),
      end("tool_use"),
      over,
    ),
    ...one,
  },
  {
    name: "pieces mixed",
    body: named(
      start(0, "t1", "lookup"),
      start(1, "t2", "time"),
      add(1, '{"b"'),
      add(0, '{"a":1}'),
      add(1, ":2}"),
      stop(0),
      stop(1),
      end("tool_use"),
      over,
    ),
    ...two,
  },
  {
    name: "no id",
    body: named(start(0, undefined, "lookup", { a: 1 }), stop(0), end("tool_use"), over),
    ...one,
  },
  {
    name: "one id for two calls",
    body: named(
      start(0, "t", "lookup", { a: 1 }),
      stop(0),
      start(1, "t", "time", { b: 2 }),
      stop(1),
      end("tool_use"),
      over,
    ),
    ...two,
  },
  {
    name: "a call and [DONE] in place of an end",
    body: named(start(0, "t", "lookup"), add(0, '{"a":1}')) + sse("[DONE]"),
    ...one,
  },
];
