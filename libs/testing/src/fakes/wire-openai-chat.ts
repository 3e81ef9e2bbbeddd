import { openAiErrorBody } from "./openai-error.ts";
import {
  countPromptTokens,
  lastUserText,
  splitInput,
  type FakeToolCall,
  type FakeUsage,
  type FakeWire,
} from "./wire.ts";

// Based on OpenAI's published API definition (openai-openapi v2.3.0):
// CreateChatCompletionStreamResponse, CreateChatCompletionResponse, CompletionUsage.

const created = 1_763_689_200;
const finishReason = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
} as const;

const convertUsage = (usage: FakeUsage) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedTokens, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: usage.reasoningTokens,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

const convertCall = ({ id, name, input }: FakeToolCall) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});

export const openAiChatWire: FakeWire = {
  protocol: "openai-chat",
  contentType: "text/event-stream; charset=utf-8",
  malformed: 'data: {"id":"chatcmpl-fake","choi\n\n',
  errorBody: openAiErrorBody,
  read: (body) => ({
    model: String(body.model),
    stream: body.stream === true,
    lastMessage: lastUserText(body.messages),
    promptTokens: countPromptTokens(body.messages),
    includeUsage:
      (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true,
  }),
  writer({ model, includeUsage }) {
    const head = `data: {"id":"chatcmpl-fake","object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)},"system_fingerprint":"fp_fake","choices":`;
    const tail = includeUsage ? ',"usage":null}\n\n' : "}\n\n";
    const choice = (delta: string, reason: string) =>
      `${head}[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${reason}}]${tail}`;
    let calls = 0;
    const callDelta = (delta: object) => choice(JSON.stringify({ tool_calls: [delta] }), "null");
    return {
      start: () => choice('{"role":"assistant","content":"","refusal":null}', "null"),
      // reasoning_content is not OpenAI's: DeepSeek, vLLM and llama.cpp add it to this protocol.
      reasoning: (text) => choice(`{"reasoning_content":${JSON.stringify(text)}}`, "null"),
      text: (token) => choice(`{"content":${JSON.stringify(token)}}`, "null"),
      toolCall: (call) => {
        const index = calls++;
        return (
          callDelta({
            index,
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: "" },
          }) +
          splitInput(call)
            .map((piece) => callDelta({ index, function: { arguments: piece } }))
            .join("")
        );
      },
      error: (message) =>
        `data: ${JSON.stringify({ error: { message, type: "server_error", param: null, code: null } })}\n\n`,
      end: (reason, usage) =>
        choice("{}", `"${finishReason[reason]}"`) +
        (includeUsage && usage
          ? `${head}[],"usage":${JSON.stringify(convertUsage(usage))}}\n\n`
          : "") +
        "data: [DONE]\n\n",
    };
  },
  whole: ({ model }, { text, reasoning, toolCalls, reason, usage }) => ({
    id: "chatcmpl-fake",
    object: "chat.completion",
    created,
    model,
    system_fingerprint: "fp_fake",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          refusal: null,
          ...(reasoning && { reasoning_content: reasoning }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(convertCall) }),
        },
        logprobs: null,
        finish_reason: finishReason[reason],
      },
    ],
    ...(usage && { usage: convertUsage(usage) }),
  }),
};
