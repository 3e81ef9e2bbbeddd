import { named, sse, type StreamShape } from "../http/stream-shape.fixture.ts";

// OpenAI's Responses (openai-openapi, 2026), as gateways in front of other vendors get them wrong.

const item = (id: string | undefined, call_id: string, name: string, input: unknown) => ({
  type: "function_call",
  ...(id !== undefined && { id }),
  call_id,
  name,
  arguments: input,
});
const added = (call: object) => ({ type: "response.output_item.added", item: call });
const done = (call: object) => ({ type: "response.output_item.done", item: call });
const delta = (item_id: string, text: string) => ({
  type: "response.function_call_arguments.delta",
  item_id,
  delta: text,
});
const completed = (...output: object[]) => ({
  type: "response.completed",
  response: { id: "r", object: "response", status: "completed", output },
});
const text = { type: "response.output_text.delta", item_id: "i", delta: "Alpha " };
const one = { calls: ["lookup"], inputs: [{ a: 1 }], reason: "tool-calls" } as const;
const two = {
  calls: ["lookup", "time"],
  inputs: [{ a: 1 }, { b: 2 }],
  reason: "tool-calls",
} as const;
const begun = added(item("i1", "t1", "lookup", ""));
const whole = item("i1", "t1", "lookup", '{"a":1}');

export const responsesToolCalls: StreamShape[] = [
  {
    name: "an input in pieces",
    body: named(begun, delta("i1", '{"a"'), delta("i1", ":1}"), done(whole), completed(whole)),
    ...one,
  },
  {
    name: "an input only in pieces",
    body: named(begun, delta("i1", '{"a"'), delta("i1", ":1}"), completed()),
    ...one,
  },
  {
    name: "a call only in the end, after text",
    body: named(text, completed(whole)),
    ...one,
    text: "Alpha ",
  },
  { name: "a call without its beginning", body: named(done(whole), completed(whole)), ...one },
  {
    name: "a call that ends twice",
    body: named(begun, done(whole), done(whole), completed(whole)),
    ...one,
  },
  {
    name: "pieces mixed",
    body: named(
      begun,
      added(item("i2", "t2", "time", "")),
      delta("i2", '{"b"'),
      delta("i1", '{"a":1}'),
      delta("i2", ":2}"),
      completed(),
    ),
    ...two,
  },
  {
    name: "items without ids",
    body: named(
      done(item(undefined, "t1", "lookup", '{"a":1}')),
      done(item(undefined, "t2", "time", '{"b":2}')),
      completed(),
    ),
    ...two,
  },
  {
    name: "one id for two calls",
    body: named(
      done(item("i1", "t", "lookup", '{"a":1}')),
      done(item("i2", "t", "time", '{"b":2}')),
      completed(),
    ),
    ...two,
  },
  { name: "no id", body: named(done(item("i1", "", "lookup", '{"a":1}')), completed()), ...one },
  {
    name: "an object as input",
    body: named(done(item("i1", "t1", "lookup", { a: 1 })), completed()),
    ...one,
  },
  {
    name: "a call and [DONE] in place of an end",
    body: named(begun, delta("i1", '{"a":1}')) + sse("[DONE]"),
    ...one,
  },
];
