import {
  contentText,
  countPromptTokens,
  lastUserText,
  type FakeUsage,
  type FakeWire,
} from "./wire.ts";

// Shapes after OpenAI's published API definition (openai-openapi, v2.3.0 and later):
// CreateChatCompletionStreamResponse, CreateChatCompletionResponse, ResponseStreamEvent, Response,
// ErrorResponse.

const created = 1_763_689_200;
const errorBody: FakeWire["errorBody"] = (status, error) => ({
  error: {
    message:
      error?.message ??
      (status === 401
        ? "Incorrect API key provided: sk-fake****. You can find your API key at https://platform.openai.com/account/api-keys."
        : status === 429
          ? "Rate limit reached for requests"
          : "The server had an error while processing your request. Sorry about that!"),
    type:
      error?.type ??
      (status === 429 ? "requests" : status >= 500 ? "server_error" : "invalid_request_error"),
    param: null,
    code:
      error?.code !== undefined
        ? error.code
        : status === 401
          ? "invalid_api_key"
          : status === 429
            ? "rate_limit_exceeded"
            : null,
  },
});

const chatReason = { stop: "stop", length: "length", filter: "content_filter" } as const;
const chatUsage = (usage: FakeUsage) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
});

export const openAiChatWire: FakeWire = {
  protocol: "openai-chat",
  contentType: "text/event-stream; charset=utf-8",
  malformed: 'data: {"id":"chatcmpl-fake","choi\n\n',
  errorBody,
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
    return {
      start: () => choice('{"role":"assistant","content":"","refusal":null}', "null"),
      // reasoning_content is not OpenAI's: DeepSeek, vLLM and llama.cpp add it to this protocol.
      reasoning: (text) => choice(`{"reasoning_content":${JSON.stringify(text)}}`, "null"),
      text: (token) => choice(`{"content":${JSON.stringify(token)}}`, "null"),
      error: (message) =>
        `data: ${JSON.stringify({ error: { message, type: "server_error", param: null, code: null } })}\n\n`,
      end: (reason, usage) =>
        choice("{}", `"${chatReason[reason]}"`) +
        (includeUsage && usage
          ? `${head}[],"usage":${JSON.stringify(chatUsage(usage))}}\n\n`
          : "") +
        "data: [DONE]\n\n",
    };
  },
  whole: ({ model }, text, reasoning, reason, usage) => ({
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
        },
        logprobs: null,
        finish_reason: chatReason[reason as "stop"],
      },
    ],
    ...(usage && { usage: chatUsage(usage) }),
  }),
};

const responsesUsage = (usage: FakeUsage) => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
});
function responseObject(
  model: string,
  status: string,
  text: string | null,
  reason: string,
  usage: FakeUsage | null,
) {
  return {
    id: "resp_fake",
    object: "response",
    created_at: created,
    status,
    background: false,
    error: null,
    incomplete_details:
      status === "incomplete"
        ? { reason: reason === "filter" ? "content_filter" : "max_output_tokens" }
        : null,
    instructions: null,
    max_output_tokens: null,
    model,
    output:
      text === null
        ? []
        : [
            {
              id: "msg_fake",
              type: "message",
              status: "completed",
              role: "assistant",
              content: [{ type: "output_text", annotations: [], logprobs: [], text }],
            },
          ],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: usage ? responsesUsage(usage) : null,
    user: null,
    metadata: {},
  };
}

export const openAiResponsesWire: FakeWire = {
  protocol: "openai-responses",
  contentType: "text/event-stream; charset=utf-8",
  malformed: 'event: response.output_text.delta\ndata: {"type":"response.outp\n\n',
  errorBody,
  read: (body) => ({
    model: String(body.model),
    stream: body.stream === true,
    lastMessage: typeof body.input === "string" ? body.input : lastUserText(body.input),
    promptTokens: countPromptTokens([body.instructions, body.input]),
    includeUsage: true,
  }),
  writer({ model }) {
    let sequence = 0;
    let written = "";
    let open = false;
    const event = (type: string, fields: Record<string, unknown>) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;
    const place = { item_id: "msg_fake", output_index: 0, content_index: 0 };
    const item = (status: string) => ({
      id: "msg_fake",
      type: "message",
      status,
      role: "assistant",
      content:
        status === "completed"
          ? [{ type: "output_text", annotations: [], logprobs: [], text: written }]
          : [],
    });
    const opening = () => {
      if (open) return "";
      open = true;
      return (
        event("response.output_item.added", { output_index: 0, item: item("in_progress") }) +
        event("response.content_part.added", {
          ...place,
          part: { type: "output_text", annotations: [], logprobs: [], text: "" },
        })
      );
    };
    return {
      start: () =>
        event("response.created", {
          response: responseObject(model, "in_progress", null, "stop", null),
        }) +
        event("response.in_progress", {
          response: responseObject(model, "in_progress", null, "stop", null),
        }),
      reasoning: (text) =>
        event("response.reasoning_summary_text.delta", {
          item_id: "rs_fake",
          output_index: 0,
          summary_index: 0,
          delta: text,
        }),
      text: (token) => {
        written += token;
        return (
          opening() + event("response.output_text.delta", { ...place, delta: token, logprobs: [] })
        );
      },
      error: (message) => event("error", { code: "server_error", message, param: null }),
      end: (reason, usage) => {
        const status = reason === "stop" ? "completed" : "incomplete";
        return (
          opening() +
          event("response.output_text.done", { ...place, text: written, logprobs: [] }) +
          event("response.content_part.done", {
            ...place,
            part: { type: "output_text", annotations: [], logprobs: [], text: written },
          }) +
          event("response.output_item.done", { output_index: 0, item: item("completed") }) +
          event(`response.${status}`, {
            response: responseObject(model, status, written, reason, usage),
          })
        );
      },
    };
  },
  whole: ({ model }, text, _reasoning, reason, usage) =>
    responseObject(model, reason === "stop" ? "completed" : "incomplete", text, reason, usage),
};

export function readOpenAiEmbeddingInput(body: Record<string, unknown>): string[] {
  const input = body.input;
  return Array.isArray(input) ? input.map((text) => contentText(text)) : [contentText(input)];
}
