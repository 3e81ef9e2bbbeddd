import { EventStreamCodec } from "@smithy/core/event-streams";
import {
  contentText,
  countPromptTokens,
  splitInput,
  type FakeUsage,
  type FakeWire,
} from "./wire.ts";

// Based on AWS's published API reference (Bedrock Runtime, ConverseStream, read in 2026), framed as
// application/vnd.amazon.eventstream.

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8")),
  (text) => Buffer.from(text, "utf8"),
);

/** One binary message, as a string of its bytes. */
function frame(kind: "event" | "exception", type: string, payload: object): string {
  const message = codec.encode({
    headers: {
      [kind === "event" ? ":event-type" : ":exception-type"]: { type: "string", value: type },
      ":content-type": { type: "string", value: "application/json" },
      ":message-type": { type: "string", value: kind },
    },
    body: Buffer.from(JSON.stringify(payload), "utf8"),
  });
  return Buffer.from(message).toString("latin1");
}
const event = (type: string, payload: object): string => frame("event", type, payload);

const stopReason = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "content_filtered",
  "tool-calls": "tool_use",
} as const;

/** Cached tokens are counted separately. */
const convertUsage = (usage: FakeUsage) => ({
  inputTokens: usage.inputTokens - usage.cachedTokens,
  outputTokens: usage.outputTokens,
  totalTokens: usage.inputTokens + usage.outputTokens,
  cacheReadInputTokens: usage.cachedTokens,
  cacheWriteInputTokens: 0,
});

export const bedrockWire: FakeWire = {
  protocol: "bedrock",
  contentType: "application/vnd.amazon.eventstream",
  encoding: "latin1",
  malformed: event("contentBlockDelta", { delta: { text: "damaged" } }).replace(
    "damaged",
    "DAMAGED",
  ),
  errorBody: (status, error) => ({
    message:
      error?.message ??
      (status === 401 || status === 403
        ? "The security token included in the request is invalid."
        : status === 429
          ? "Too many requests, please wait before trying again."
          : "The server encountered an internal error while processing the request."),
  }),
  read: ({ messages }) => {
    const list = messages as { role: string; content: unknown }[] | undefined;
    return {
      model: "",
      stream: true,
      lastMessage: contentText(list?.findLast(({ role }) => role === "user")?.content),
      promptTokens: countPromptTokens(messages),
      includeUsage: true,
    };
  },
  writer() {
    let index = -1;
    let open: "text" | "reasoning" | null = null;
    const close = (): string => {
      if (open === null) return "";
      const signature =
        open === "reasoning"
          ? event("contentBlockDelta", {
              contentBlockIndex: index,
              delta: { reasoningContent: { signature: "ZmFrZQ==" } },
            })
          : "";
      open = null;
      return signature + event("contentBlockStop", { contentBlockIndex: index });
    };
    /** Only blocks with calls are announced. */
    const content = (kind: "text" | "reasoning", delta: object): string => {
      const closing = open === kind ? "" : close();
      if (open !== kind) index++;
      open = kind;
      return closing + event("contentBlockDelta", { contentBlockIndex: index, delta });
    };
    return {
      start: () => event("messageStart", { role: "assistant" }),
      reasoning: (text) => content("reasoning", { reasoningContent: { text } }),
      text: (text) => content("text", { text }),
      toolCall: (call) => {
        const closing = close();
        index++;
        return (
          closing +
          event("contentBlockStart", {
            contentBlockIndex: index,
            start: { toolUse: { toolUseId: call.id, name: call.name } },
          }) +
          splitInput(call)
            .map((input) =>
              event("contentBlockDelta", {
                contentBlockIndex: index,
                delta: { toolUse: { input } },
              }),
            )
            .join("") +
          event("contentBlockStop", { contentBlockIndex: index })
        );
      },
      error: (message) => frame("exception", "internalServerException", { message }),
      end: (reason, usage) =>
        close() +
        event("messageStop", { stopReason: stopReason[reason] }) +
        event("metadata", {
          ...(usage && { usage: convertUsage(usage) }),
          metrics: { latencyMs: 1 },
        }),
    };
  },
  whole: () => {
    throw new Error("the fake only streams this protocol");
  },
};
