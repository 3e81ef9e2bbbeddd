import {
  countPromptTokens,
  lastUserText,
  splitInput,
  type FakeUsage,
  type FakeWire,
} from "./wire.ts";

// Based on Cohere's published API reference (docs.cohere.com/reference/chat-stream and /errors, v2,
// read in 2026).

const finishReason = {
  stop: "COMPLETE",
  length: "MAX_TOKENS",
  "content-filter": "ERROR_TOXIC",
  "tool-calls": "TOOL_CALL",
} as const;

const convertUsage = (usage: FakeUsage) => ({
  billed_units: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  tokens: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  cached_tokens: usage.cachedTokens,
});

const event = (body: { type: string; [field: string]: unknown }): string =>
  `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`;

export const cohereWire: FakeWire = {
  protocol: "cohere",
  contentType: "text/event-stream",
  malformed: 'event: content-delta\ndata: {"type":"content-del\n\n',
  errorBody: (status, error) => ({
    id: "fake",
    message:
      error?.message ??
      (status === 401
        ? "invalid api token"
        : status === 429
          ? "You are using a Trial key, which is limited to 20 API calls / minute."
          : "internal server error, this has been reported to our developers."),
  }),
  read: (body) => ({
    model: String(body.model),
    stream: body.stream === true,
    lastMessage: lastUserText(body.messages),
    promptTokens: countPromptTokens(body.messages),
    includeUsage: true,
  }),
  writer() {
    let index = -1;
    let open: "text" | "thinking" | null = null;
    const close = (): string => {
      if (open === null) return "";
      open = null;
      return event({ type: "content-end", index });
    };
    const content = (kind: "text" | "thinking", text: string): string => {
      let start = "";
      if (open !== kind) {
        start = close();
        open = kind;
        index++;
        start += event({
          type: "content-start",
          index,
          delta: { message: { content: { type: kind, [kind]: "" } } },
        });
      }
      return (
        start +
        event({
          type: "content-delta",
          index,
          delta: { message: { content: { [kind]: text } } },
        })
      );
    };
    return {
      start: () =>
        event({
          type: "message-start",
          id: "fake",
          delta: {
            message: {
              role: "assistant",
              content: [],
              tool_plan: "",
              tool_calls: [],
              citations: [],
            },
          },
        }),
      reasoning: (text) => content("thinking", text),
      text: (token) => content("text", token),
      toolCall: (call) => {
        const closing = close();
        index++;
        const called = (type: string, tool_calls?: object) =>
          event({
            type,
            index,
            ...(tool_calls && { delta: { message: { tool_calls } } }),
          });
        return (
          closing +
          called("tool-call-start", {
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: "" },
          }) +
          splitInput(call)
            .map((piece) => called("tool-call-delta", { function: { arguments: piece } }))
            .join("") +
          called("tool-call-end")
        );
      },
      error: (message) =>
        event({
          type: "message-end",
          id: "fake",
          delta: { error: message, finish_reason: "ERROR" },
        }),
      end: (reason, usage) =>
        close() +
        event({
          type: "message-end",
          id: "fake",
          delta: {
            finish_reason: finishReason[reason],
            ...(usage && { usage: convertUsage(usage) }),
          },
        }) +
        "data: [DONE]\n\n",
    };
  },
  whole: () => {
    throw new Error("the fake only streams this protocol");
  },
};
