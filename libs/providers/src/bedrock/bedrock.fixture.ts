import { EventStreamCodec } from "@smithy/core/event-streams";
import type { StreamShape } from "../http/stream-shape.fixture.ts";

const whole = "Alpha Omega.";
const json = "application/json";

// Bedrock's ConverseStream (AWS API reference, 2026), in binary messages.

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString("utf8"),
  (text) => Buffer.from(text, "utf8"),
);
function binary(headers: Record<string, string>, payload: object | null): Uint8Array {
  return codec.encode({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        `:${name}`,
        { type: "string" as const, value },
      ]),
    ),
    body: Buffer.from(payload === null ? "" : JSON.stringify(payload)),
  });
}
const happening = (type: string, payload: object) =>
  binary({ "event-type": type, "content-type": json, "message-type": "event" }, payload);
const exception = (type: string, payload: object) =>
  binary({ "exception-type": type, "content-type": json, "message-type": "exception" }, payload);
const bedrockSay = (delta: object) =>
  happening("contentBlockDelta", { contentBlockIndex: 0, delta });
const bedrockAlpha = bedrockSay({ text: "Alpha " });
const bedrockStop = (stopReason: string) => [
  happening("messageStop", { stopReason }),
  happening("metadata", { usage: { inputTokens: 1, outputTokens: 2 }, metrics: { latencyMs: 1 } }),
];
const binaryType = "application/vnd.amazon.eventstream";
const messages = (...parts: Uint8Array[]) => ({
  body: Buffer.concat(parts),
  contentType: binaryType,
});
const failing = (type: string, payload: object, fault: [string, string?]): StreamShape => ({
  name: type,
  ...messages(bedrockAlpha, exception(type, payload)),
  text: "Alpha ",
  reason: null,
  fault,
});

export const bedrockShapes: StreamShape[] = [
  {
    name: "end_turn",
    ...messages(bedrockAlpha, bedrockSay({ text: "Omega." }), ...bedrockStop("end_turn")),
    text: whole,
  },
  {
    name: "max_tokens",
    ...messages(bedrockAlpha, ...bedrockStop("max_tokens")),
    text: "Alpha ",
    reason: "length",
  },
  {
    name: "guardrail_intervened",
    ...messages(bedrockAlpha, ...bedrockStop("guardrail_intervened")),
    text: "Alpha ",
    reason: "content-filter",
  },
  {
    name: "content_filtered",
    ...messages(bedrockAlpha, ...bedrockStop("content_filtered")),
    text: "Alpha ",
    reason: "content-filter",
  },
  {
    name: "malformed_model_output",
    ...messages(bedrockAlpha, ...bedrockStop("malformed_model_output")),
    text: "Alpha ",
    reason: "incomplete",
  },
  {
    name: "malformed_tool_use",
    ...messages(bedrockAlpha, ...bedrockStop("malformed_tool_use")),
    text: "Alpha ",
    reason: "incomplete",
  },
  {
    name: "no counts",
    ...messages(bedrockSay({ text: whole }), bedrockStop("end_turn")[0]!),
    text: whole,
  },
  {
    name: "an open connection",
    ...messages(bedrockSay({ text: whole }), bedrockStop("end_turn")[0]!),
    staysOpen: true,
    text: whole,
  },
  {
    name: "no end",
    ...messages(bedrockAlpha),
    text: "Alpha ",
    reason: null,
    fault: ["disconnected"],
  },
  {
    name: "reasoning",
    ...messages(
      bedrockSay({ reasoningContent: { text: "Hm." } }),
      bedrockSay({ text: whole }),
      ...bedrockStop("end_turn"),
    ),
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "a bare end of reasoning",
    ...messages(
      bedrockSay({ text: "Hm.\n</think>\n" }),
      bedrockSay({ text: whole }),
      ...bedrockStop("end_turn"),
    ),
    reasoning: "Hm.\n",
    text: whole,
  },
  failing("throttlingException", { message: "Too many tokens, please wait before trying again." }, [
    "rate-limited",
  ]),
  failing("serviceUnavailableException", { message: "no such luck" }, [
    "overloaded",
    "no such luck",
  ]),
  failing("internalServerException", { message: "no such luck" }, [
    "internal-error",
    "no such luck",
  ]),
  failing("validationException", { message: "no such luck" }, ["request-rejected", "no such luck"]),
  failing(
    "modelStreamErrorException",
    { message: "no such luck", originalStatusCode: 500, originalMessage: "deeper" },
    ["internal-error", "no such luck"],
  ),
  failing("modelStreamErrorException", { originalMessage: "no such luck" }, [
    "internal-error",
    "no such luck",
  ]),
  {
    name: "an unmodelled error",
    ...messages(
      bedrockAlpha,
      binary(
        {
          "message-type": "error",
          "error-code": "InternalFailure",
          "error-message": "no such luck",
        },
        null,
      ),
    ),
    text: "Alpha ",
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
  {
    name: "JSON",
    body: JSON.stringify({
      output: {
        message: {
          role: "assistant",
          content: [{ reasoningContent: { reasoningText: { text: "Hm." } } }, { text: whole }],
        },
      },
      stopReason: "end_turn",
      usage: { inputTokens: 1, outputTokens: 2 },
    }),
    contentType: json,
    reasoning: "Hm.",
    text: whole,
  },
  {
    name: "an error as JSON",
    body: JSON.stringify({ message: "no such luck" }),
    contentType: json,
    reason: null,
    fault: ["internal-error", "no such luck"],
  },
];

// Bedrock's ConverseStream (AWS API reference, 2026), and what gateways make of it.

const start = (index: number, toolUseId: string | undefined, name: string) =>
  happening("contentBlockStart", {
    contentBlockIndex: index,
    start: { toolUse: { ...(toolUseId !== undefined && { toolUseId }), name } },
  });
const add = (index: number, input: unknown) =>
  happening("contentBlockDelta", { contentBlockIndex: index, delta: { toolUse: { input } } });
const stop = (index: number) => happening("contentBlockStop", { contentBlockIndex: index });
const end = bedrockStop("tool_use");
const one = { calls: ["lookup"], inputs: [{ a: 1 }], reason: "tool-calls" } as const;
const two = {
  calls: ["lookup", "time"],
  inputs: [{ a: 1 }, { b: 2 }],
  reason: "tool-calls",
} as const;

export const bedrockToolCalls: StreamShape[] = [
  {
    name: "an input in pieces",
    ...messages(start(0, "t", "lookup"), add(0, '{"a"'), add(0, ":1}"), stop(0), ...end),
    ...one,
  },
  {
    name: "a call without its end",
    ...messages(start(0, "t", "lookup"), add(0, '{"a":1}'), ...end),
    ...one,
  },
  {
    name: "a call with end_turn",
    ...messages(start(0, "t", "lookup"), add(0, '{"a":1}'), stop(0), ...bedrockStop("end_turn")),
    ...one,
  },
  { name: "the reason without a call", ...messages(...end) },
  {
    name: "pieces mixed",
    ...messages(
      start(0, "t1", "lookup"),
      start(1, "t2", "time"),
      add(1, '{"b"'),
      add(0, '{"a":1}'),
      add(1, ":2}"),
      stop(0),
      stop(1),
      ...end,
    ),
    ...two,
  },
  {
    name: "no id",
    ...messages(start(0, undefined, "lookup"), add(0, '{"a":1}'), stop(0), ...end),
    ...one,
  },
  {
    name: "one id for two calls",
    ...messages(
      start(0, "t", "lookup"),
      add(0, '{"a":1}'),
      stop(0),
      start(1, "t", "time"),
      add(1, '{"b":2}'),
      stop(1),
      ...end,
    ),
    ...two,
  },
  {
    name: "an object as input",
    ...messages(start(0, "t", "lookup"), add(0, { a: 1 }), stop(0), ...end),
    ...one,
  },
  {
    name: "an input twice",
    ...messages(start(0, "t", "lookup"), add(0, '{"a":1}'), add(0, '{"a":1}'), stop(0), ...end),
    ...one,
  },
];
