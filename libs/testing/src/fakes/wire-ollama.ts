import {
  countPromptTokens,
  lastUserText,
  type FakeToolCall,
  type FakeUsage,
  type FakeWire,
} from "./wire.ts";

// Based on Ollama's published API (github.com/ollama/ollama docs/api.md, v0.12): /api/chat with
// tools and thinking, /api/tags, /api/embed, /api/show.

const createdAt = "2026-11-21T01:00:00.000000000Z";
const counts = (usage: FakeUsage | null) =>
  usage
    ? {
        total_duration: 5_000_000,
        load_duration: 1_000_000,
        prompt_eval_count: usage.inputTokens,
        prompt_eval_duration: 1_000_000,
        eval_count: usage.outputTokens,
        eval_duration: 3_000_000,
      }
    : { total_duration: 5_000_000, load_duration: 1_000_000 };
const doneReason = {
  stop: "stop",
  length: "length",
  "content-filter": "stop",
  "tool-calls": "stop",
} as const;
const convertCall = ({ name, input }: FakeToolCall) => ({ function: { name, arguments: input } });

export const ollamaWire: FakeWire = {
  protocol: "ollama",
  contentType: "application/x-ndjson",
  malformed: '{"model":"fake","mess\n',
  errorBody: (status, error) => ({
    error:
      error?.message ??
      (status === 401
        ? "unauthorized"
        : status === 404
          ? 'model "fake" not found, try pulling it first'
          : "llama runner process has terminated"),
  }),
  read: (body) => ({
    model: String(body.model),
    stream: body.stream !== false,
    lastMessage: lastUserText(body.messages),
    promptTokens: countPromptTokens(body.messages),
    includeUsage: true,
  }),
  writer({ model }) {
    const head = `{"model":${JSON.stringify(model)},"created_at":"${createdAt}","message":{"role":"assistant",`;
    return {
      start: () => "",
      reasoning: (text) =>
        `${head}"content":"","thinking":${JSON.stringify(text)}},"done":false}\n`,
      text: (token) => `${head}"content":${JSON.stringify(token)}},"done":false}\n`,
      // Calls arrive whole and without an id.
      toolCall: (call) =>
        `${head}"content":"","tool_calls":${JSON.stringify([convertCall(call)])}},"done":false}\n`,
      error: (message) => `${JSON.stringify({ error: message })}\n`,
      end: (reason, usage) =>
        `${head}"content":""},"done_reason":"${doneReason[reason]}","done":true,${JSON.stringify(counts(usage)).slice(1)}\n`,
    };
  },
  whole: ({ model }, { text, reasoning, toolCalls, reason, usage }) => ({
    model,
    created_at: createdAt,
    message: {
      role: "assistant",
      content: text,
      ...(reasoning && { thinking: reasoning }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(convertCall) }),
    },
    done_reason: doneReason[reason],
    done: true,
    ...counts(usage),
  }),
};

export const ollamaTags = (models: string[]) => ({
  models: models.map((name) => ({
    name,
    model: name,
    modified_at: createdAt,
    size: 4_661_224_676,
    digest: "a".repeat(64),
    details: {
      parent_model: "",
      format: "gguf",
      family: "llama",
      families: ["llama"],
      parameter_size: "8.0B",
      quantization_level: "Q4_0",
    },
  })),
});
