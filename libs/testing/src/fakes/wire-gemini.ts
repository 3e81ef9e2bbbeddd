import { contentText, countPromptTokens, type FakeUsage, type FakeWire } from "./wire.ts";

// Based on Google's published API reference (ai.google.dev/api/generate-content, v1beta, read in
// 2026): GenerateContentResponse, UsageMetadata, google.rpc.Status.

const finishReason = {
  stop: "STOP",
  length: "MAX_TOKENS",
  "content-filter": "SAFETY",
  // Gemini has no separate reason for calls.
  "tool-calls": "STOP",
} as const;

const convertUsage = (usage: FakeUsage) => ({
  promptTokenCount: usage.inputTokens,
  // The count for the answer doesn't include thoughts.
  candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
  ...(usage.reasoningTokens > 0 && { thoughtsTokenCount: usage.reasoningTokens }),
  ...(usage.cachedTokens > 0 && { cachedContentTokenCount: usage.cachedTokens }),
  totalTokenCount: usage.inputTokens + usage.outputTokens,
});

const statusNames: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const event = (reply: object): string => `data: ${JSON.stringify(reply)}\r\n\r\n`;

export const geminiWire: FakeWire = {
  protocol: "gemini",
  contentType: "text/event-stream",
  malformed: 'data: {"candidates": [{"cont\r\n\r\n',
  errorBody: (status, error) => ({
    error: {
      code: status,
      message:
        error?.message ??
        (status === 401
          ? "API key not valid. Please pass a valid API key."
          : "The request failed."),
      status: error?.code ?? statusNames[status] ?? "INTERNAL",
    },
  }),
  read: ({ contents }) => {
    const list = contents as { role: string; parts: { text?: string }[] }[] | undefined;
    return {
      model: "",
      stream: true,
      lastMessage: contentText(list?.findLast(({ role }) => role === "user")?.parts),
      promptTokens: countPromptTokens(contents),
      includeUsage: true,
    };
  },
  writer() {
    const candidate = (part: object, more: object = {}) =>
      event({
        candidates: [{ content: { parts: [part], role: "model" }, index: 0, ...more }],
        modelVersion: "gemini-fake",
        responseId: "fake",
      });
    return {
      start: () => "",
      reasoning: (text) => candidate({ text, thought: true }),
      text: (text) => candidate({ text }),
      toolCall: ({ name, input }) =>
        candidate({ functionCall: { name, args: input }, thoughtSignature: "c2lnbmF0dXJl" }),
      error: (message) => event({ error: { code: 500, message, status: "INTERNAL" } }),
      end: (reason, usage) =>
        event({
          candidates: [
            {
              content: { parts: [{ text: "" }], role: "model" },
              finishReason: finishReason[reason],
              index: 0,
            },
          ],
          ...(usage && { usageMetadata: convertUsage(usage) }),
          modelVersion: "gemini-fake",
          responseId: "fake",
        }),
    };
  },
  whole: () => {
    throw new Error("the fake only streams this protocol");
  },
};
