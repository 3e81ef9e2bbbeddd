import { contextLimitIn, isContextLengthFault } from "./context-length.ts";

describe("a prompt that is too long", () => {
  it.each([
    [
      "OpenAI",
      400,
      "context_length_exceeded",
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
      undefined,
    ],
    [
      "OpenAI chat",
      400,
      "context_length_exceeded",
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
      8192,
    ],
    [
      "Anthropic",
      400,
      "invalid_request_error",
      "prompt is too long: 208310 tokens > 200000 maximum",
      200_000,
    ],
    [
      "Anthropic with its answer",
      400,
      "invalid_request_error",
      "input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length or `max_tokens` and try again",
      200_000,
    ],
    ["Anthropic, bytes", 413, "request_too_large", "Request exceeds the maximum size", undefined],
    [
      "llama.cpp",
      400,
      "exceed_context_size_error",
      "the request exceeds the available context size, try increasing it",
      undefined,
    ],
    [
      "newer llama.cpp",
      400,
      "exceed_context_size_error",
      "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
      4_096,
    ],
    ["Ollama", 400, "", "the input length exceeds the context length", undefined],
    [
      "vLLM",
      400,
      "BadRequestError",
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3976 in the messages, 1024 in the completion).",
      4_096,
    ],
    [
      "newer vLLM",
      400,
      "BadRequestError",
      "You passed 5000 input tokens and requested 100 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3996 tokens.",
      4_096,
    ],
    [
      "LM Studio",
      400,
      "",
      "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
      4_096,
    ],
    [
      "Mistral",
      400,
      "invalid_request_prompt",
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      32_768,
    ],
    [
      "Text Generation Inference",
      422,
      "validation",
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 1024 `max_new_tokens`",
      4_096,
    ],
    [
      "Gemini",
      400,
      "",
      "The input token count (1,200,000) exceeds the maximum number of tokens allowed (1,048,576).",
      1_048_576,
    ],
  ])("is recognised in the words of %s", (_name, statusCode, code, message, limit) => {
    expect(isContextLengthFault({ statusCode, code, message })).toBe(true);
    expect(contextLimitIn(message)).toBe(limit);
  });

  it.each([
    [401, "invalid_api_key", "Incorrect API key provided"],
    [
      429,
      "rate_limit_exceeded",
      "Request too large for gpt-4o: Limit 30000 tokens per minute, requested 40000. Reduce the length of the messages.",
    ],
    [400, "invalid_request_error", "Invalid image data"],
    [500, "server_error", "The server had an error while processing your request"],
  ])("is not confused with %i %s", (statusCode, code, message) => {
    expect(isContextLengthFault({ statusCode, code, message })).toBe(false);
  });
});
