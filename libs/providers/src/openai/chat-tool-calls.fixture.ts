import { sse, type StreamShape } from "../http/stream-shape.fixture.ts";
import { alpha, choice, completion, json, say, stop } from "./chat-chunks.fixture.ts";

// Tool calls as servers get them wrong: bug reports of Ollama, vLLM, SGLang, llama.cpp, LM Studio,
// LiteLLM and OpenRouter (2024 to 2026).

const calls = (...tool_calls: object[]) => choice({ tool_calls });
const call = (
  id: string | undefined,
  name: string | undefined,
  input?: unknown,
  index?: number,
) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id, type: "function" }),
  function: {
    ...(name !== undefined && { name }),
    ...(input !== undefined && { arguments: input }),
  },
});
const called = choice({}, "tool_calls");
const one = { calls: ["lookup"], inputs: [{ a: 1 }], reason: "tool-calls" } as const;
const two = {
  calls: ["lookup", "time"],
  inputs: [{ a: 1 }, { b: 2 }],
  reason: "tool-calls",
} as const;
const shape = (name: string, body: string, meaning: object = one): StreamShape => ({
  name,
  body,
  ...meaning,
});
const lookup = calls(call("t1", "lookup", '{"a":1}', 0));

export const chatToolCalls: StreamShape[] = [
  shape("calls, a reason and no [DONE]", sse(lookup, called)),
  {
    name: "calls, a reason and an open connection",
    body: sse(lookup, called),
    staysOpen: true,
    ...one,
  },
  shape("calls and [DONE] without a reason", sse(lookup, "[DONE]")),
  shape("calls, then nothing", sse(lookup), {
    ...one,
    calls: [],
    inputs: [],
    reason: null,
    fault: ["disconnected"],
  }),
  shape("calls after stop", sse(alpha, stop, lookup, "[DONE]"), { ...one, text: "Alpha " }),
  shape(
    "calls with stop",
    sse(choice({ tool_calls: [call("t1", "lookup", '{"a":1}', 0)] }, "stop"), "[DONE]"),
  ),
  shape(
    "no calls in a list with the reason",
    sse(choice({ content: "Alpha ", tool_calls: [] }, "tool_calls"), "[DONE]"),
    { text: "Alpha " },
  ),
  shape("no calls at all with the reason", sse(choice({ content: "" }), called, "[DONE]"), {}),
  shape(
    "an input in pieces",
    sse(
      calls(call("t1", "lookup", "", 0)),
      calls(call(undefined, undefined, '{"a"', 0)),
      calls(call(undefined, undefined, ":1}", 0)),
      called,
    ),
  ),
  shape(
    "a name with every piece",
    sse(calls(call("t1", "lookup", '{"a"', 0)), calls(call("t1", "lookup", ":1}", 0)), called),
  ),
  shape(
    "a new id with every piece",
    sse(calls(call("t1", "lookup", '{"a"', 0)), calls(call("t2", undefined, ":1}", 0)), called),
  ),
  shape(
    "a name after the input",
    sse(
      calls(call("t1", undefined, '{"a"', 0)),
      calls(call(undefined, "lookup", ":1}", 0)),
      called,
    ),
  ),
  shape("an input twice", sse(lookup, calls(call(undefined, undefined, '{"a":1}', 0)), called)),
  shape("a call twice", sse(lookup, lookup, called)),
  shape(
    "an empty input before it",
    sse(
      calls(call("t1", "lookup", "{}", 0)),
      calls(call(undefined, undefined, '{"a":1}', 0)),
      called,
    ),
  ),
  shape(
    "pieces of parallel calls mixed",
    sse(
      calls(call("t1", "lookup", "", 0), call("t2", "time", "", 1)),
      calls(call(undefined, undefined, '{"b"', 1)),
      calls(call(undefined, undefined, '{"a":1}', 0)),
      calls(call(undefined, undefined, ":2}", 1)),
      called,
    ),
    two,
  ),
  shape(
    "parallel calls numbered alike",
    sse(lookup, calls(call("t2", "time", '{"b":2}', 0)), called),
    two,
  ),
  shape(
    "parallel calls of one tool numbered alike",
    sse(
      lookup,
      calls(call("t2", "lookup", '{"a":', 0)),
      calls(call(undefined, undefined, "2}", 0)),
      called,
    ),
    { calls: ["lookup", "lookup"], inputs: [{ a: 1 }, { a: 2 }], reason: "tool-calls" },
  ),
  shape(
    "parallel calls without numbers",
    sse(calls(call("t1", "lookup", '{"a":1}'), call("t2", "time", '{"b":2}')), called),
    two,
  ),
  shape(
    "pieces without numbers",
    sse(calls(call("t1", "lookup", '{"a"')), calls(call(undefined, undefined, ":1}")), called),
  ),
  shape(
    "no ids",
    sse(calls(call(undefined, "lookup", '{"a":1}', 0), call("", "time", '{"b":2}', 1)), called),
    two,
  ),
  shape(
    "one id for two calls",
    sse(calls(call("t", "lookup", '{"a":1}', 0), call("t", "time", '{"b":2}', 1)), called),
    two,
  ),
  shape("an object as input", sse(calls(call("t1", "lookup", { a: 1 }, 0)), called)),
  shape(
    "null and missing inputs",
    sse(calls(call("t1", "lookup", null, 0), call("t2", "time", undefined, 1)), called),
    { calls: ["lookup", "time"], inputs: [{}, {}], reason: "tool-calls" },
  ),
  shape(
    "a call without its list",
    sse(choice({ tool_calls: call("t1", "lookup", '{"a":1}', 0) }), called),
  ),
  shape("text beside calls", sse(say("Alpha "), lookup, say("Omega."), called), {
    ...one,
    text: "Alpha Omega.",
  }),
  {
    name: "JSON with an object as input and stop",
    body: JSON.stringify(completion({ content: "", tool_calls: [call("t1", "lookup", { a: 1 })] })),
    contentType: json,
    ...one,
  },
];
