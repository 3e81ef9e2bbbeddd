import { sse, type StreamShape } from "../http/stream-shape.fixture.ts";
import {
  head,
  choice,
  say,
  alpha,
  omega,
  stop,
  whole,
  calling,
  completion,
  json,
} from "./chat-chunks.fixture.ts";

export const chatContents: StreamShape[] = [
  {
    name: "a role alone",
    body: sse(choice({ role: "assistant" }), alpha, omega, stop),
    text: whole,
  },
  {
    name: "nothing in deltas",
    body: sse(
      choice({ role: "assistant", content: null, tool_calls: null }),
      choice(null),
      alpha,
      { ...head, choices: [] },
      { ...head, choices: null },
      omega,
      stop,
    ),
    text: whole,
  },
  {
    name: "blocks",
    body: sse(choice({ content: [{ type: "text", text: "Alpha " }, "Omega."] }), stop),
    text: whole,
  },
  {
    name: "thinking in blocks",
    body: sse(
      choice({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
      choice({ content: [{ type: "text", text: whole }] }),
      stop,
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "a refusal",
    body: sse(
      choice({ role: "assistant", content: null, refusal: "I can't " }),
      choice({ refusal: "help." }),
      stop,
    ),
    text: "I can't help.",
  },
  {
    name: "completions",
    body: sse({ ...head, choices: [{ index: 0, text: whole, finish_reason: "stop" }] }),
    text: whole,
  },
  {
    name: "a second choice",
    body: sse(
      {
        ...head,
        choices: [
          { index: 1, delta: { content: "no" } },
          { index: 0, delta: { content: whole } },
        ],
      },
      stop,
    ),
    text: whole,
  },
  {
    name: "calls alone",
    body: sse(calling, choice({}, "tool_calls"), "[DONE]"),
    calls: ["lookup"],
    reason: "tool-calls",
  },
  {
    name: "a call of the old kind",
    body: sse(
      choice({ function_call: { name: "lookup", arguments: "{" } }),
      choice({ function_call: { arguments: "}" } }),
      choice({}, "function_call"),
    ),
    calls: ["lookup"],
    reason: "tool-calls",
  },
  {
    name: "reasoning under another name",
    body: sse(choice({ reasoning_content: "", reasoning: "Hm." }), say(whole), stop),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "reasoning in details",
    body: sse(
      choice({ reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }),
      say(whole),
      stop,
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "Perplexity's messages beside deltas",
    body: sse(
      {
        ...head,
        choices: [{ index: 0, delta: { content: "Alpha " }, message: { content: "Alpha " } }],
      },
      {
        ...head,
        choices: [
          {
            index: 0,
            delta: { content: "Omega." },
            message: { content: whole },
            finish_reason: "stop",
          },
        ],
      },
    ),
    text: whole,
  },
];

export const chatBodies: StreamShape[] = [
  {
    name: "JSON",
    body: JSON.stringify(completion({ content: whole })),
    contentType: json,
    text: whole,
  },
  {
    name: "JSON called a stream",
    body: JSON.stringify(completion({ content: whole })),
    text: whole,
  },
  {
    name: "JSON on several lines",
    body: JSON.stringify(completion({ content: whole }), null, 2),
    contentType: json,
    text: whole,
  },
  {
    name: "JSON after blank lines and a mark",
    body: `\uFEFF\n\n ${JSON.stringify(completion({ content: whole }))}\n`,
    contentType: json,
    text: whole,
  },
  {
    name: "JSON without a reason",
    body: JSON.stringify(completion({ content: whole }, null)),
    contentType: json,
    text: whole,
  },
  { name: "JSON as an event", body: sse(completion({ content: whole })), text: whole },
  {
    name: "messages in place of deltas, cut off",
    body: sse({ ...head, choices: [{ index: 0, message: { content: "Alpha " } }] }),
    breaks: true,
    text: "Alpha ",
    reason: null,
    fault: ["disconnected"],
  },
  {
    name: "JSON with thinking",
    body: JSON.stringify(completion({ content: `<think>Hm.</think>\n${whole}` })),
    contentType: json,
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "JSON with a refusal",
    body: JSON.stringify(completion({ content: null, refusal: "No." })),
    contentType: json,
    text: "No.",
  },
  {
    name: "JSON with calls",
    body: JSON.stringify(
      completion(
        {
          content: null,
          tool_calls: [
            { id: "t1", type: "function", function: { name: "lookup", arguments: "{}" } },
          ],
        },
        "tool_calls",
      ),
    ),
    contentType: json,
    calls: ["lookup"],
    reason: "tool-calls",
  },
  {
    name: "JSON cut off",
    body: JSON.stringify(completion({ content: whole })).slice(0, 80),
    contentType: json,
    reason: null,
    fault: ["disconnected"],
  },
  {
    name: "a page with a script",
    body: '<!doctype html>\n<script>\n{"a":1}\ndata: 1\n</script>',
    reason: null,
    fault: ["not-a-model-server"],
  },
  {
    name: "a page called a stream",
    body: "<!doctype html>\n<html><title>Bad gateway</title></html>",
    reason: null,
    fault: ["not-a-model-server"],
  },
  {
    name: "a page",
    body: "<html></html>",
    contentType: "text/html; charset=utf-8",
    reason: null,
    fault: ["not-a-model-server"],
  },
  {
    name: "a text",
    body: "no healthy upstream",
    contentType: "text/plain",
    reason: null,
    fault: ["internal-error", "no healthy upstream"],
  },
  { name: "nothing", body: "", reason: null, fault: ["disconnected"] },
];
