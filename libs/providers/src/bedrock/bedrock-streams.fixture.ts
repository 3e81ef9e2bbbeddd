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
export const happening = (type: string, payload: object) =>
  binary({ "event-type": type, "content-type": json, "message-type": "event" }, payload);
const exception = (type: string, payload: object) =>
  binary({ "exception-type": type, "content-type": json, "message-type": "exception" }, payload);
const bedrockSay = (delta: object) =>
  happening("contentBlockDelta", { contentBlockIndex: 0, delta });
const bedrockAlpha = bedrockSay({ text: "Alpha " });
export const bedrockStop = (stopReason: string) => [
  happening("messageStop", { stopReason }),
  happening("metadata", { usage: { inputTokens: 1, outputTokens: 2 }, metrics: { latencyMs: 1 } }),
];
const binaryType = "application/vnd.amazon.eventstream";
export const messages = (...parts: Uint8Array[]) => ({
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
