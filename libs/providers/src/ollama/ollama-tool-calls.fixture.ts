import { lines, type StreamShape } from "../http/stream-shape.fixture.ts";

// Ollama's API (docs.ollama.com/api, 2026), and what its versions and stand-ins send.

const say = (tool_calls: unknown, done = false) => ({
  model: "m",
  message: { role: "assistant", content: "", tool_calls },
  done,
  ...(done && { done_reason: "stop" }),
});
const call = (name: string, input: unknown, id?: string) => ({
  ...(id !== undefined && { id }),
  function: { name, ...(input !== undefined && { arguments: input }) },
});
const end = say(undefined, true);
const one = { calls: ["lookup"], inputs: [{ a: 1 }], reason: "tool-calls" } as const;
const two = {
  calls: ["lookup", "time"],
  inputs: [{ a: 1 }, { b: 2 }],
  reason: "tool-calls",
} as const;
const lookup = call("lookup", { a: 1 });

export const ollamaToolCalls: StreamShape[] = [
  { name: "calls without ids", body: lines(say([lookup, call("time", { b: 2 })]), end), ...two },
  {
    name: "one id for two calls",
    body: lines(say([call("lookup", { a: 1 }, "t")]), say([call("time", { b: 2 }, "t")]), end),
    ...two,
  },
  { name: "a text as input", body: lines(say([call("lookup", '{"a":1}')]), end), ...one },
  { name: "no input", body: lines(say([call("lookup", undefined)]), end), ...one, inputs: [{}] },
  { name: "a call in the last line", body: lines(say([lookup], true)), ...one },
  { name: "an empty list", body: lines(say([]), end) },
];
