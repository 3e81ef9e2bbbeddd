/*
 * How servers report that a prompt is too long (their documentation or source, 2025 and 2026):
 * OpenAI `context_length_exceeded`; Anthropic "prompt is too long: 208310 tokens > 200000 maximum"
 * and "input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000",
 * `request_too_large`, stop reason `model_context_window_exceeded`; llama.cpp
 * `exceed_context_size_error`; Ollama "the input length exceeds the context length"; vLLM "This
 * model's maximum context length is 4096 tokens. However, you requested 5000 tokens"; LM Studio "…
 * when context the overflows. However, the model is loaded with context length of only 4096
 * tokens"; Mistral "Prompt contains 40000 tokens … too large for model with 32768 maximum context
 * length"; Text Generation Inference "`inputs` tokens + `max_new_tokens` must be <= 4096"; Gemini
 * "The input token count (5000) exceeds the maximum number of tokens allowed (4096)".
 *
 * Of embeddings: OpenAI "Invalid 'input': maximum input length is 8192 tokens." and
 * `max_tokens_per_request` "Requested 400000 tokens, max 300000 tokens per request"; Mistral 400
 * "Too many tokens overall, split into more batches."; Voyage "The max allowed tokens per submitted
 * batch is 120000"; llama.cpp "input is too large to process. increase the physical batch size".
 */
const codes = new Set([
  "context_length_exceeded",
  "model_context_window_exceeded",
  "request_too_large",
  "exceed_context_size_error",
  "max_tokens_per_request",
]);
const words = new RegExp(
  [
    "maximum context length",
    "max(?:imum)? context",
    "context window",
    "context length",
    "context limit",
    "context size",
    "context the overflows",
    "prompt (?:is )?too long",
    "too many tokens",
    "input is too long",
    "exceeds? the (?:available |model's )?context",
    "must have less than \\d+ tokens",
    "tokens`? \\+ `max_new_tokens`? must be",
    "input token count .{0,40}exceeds",
    "reduce the length of the (?:messages|input|prompt)",
    "maximum input length",
    "max allowed tokens per",
    "max \\d+ tokens per request",
    "input (?:\\(\\d+ tokens\\) )?is too large to process",
  ].join("|"),
  "i",
);
/**
 * Statuses of responses that may mean the prompt is too long; undefined for errors within the
 * stream. Ollama and some proxies answer 500.
 */
const statuses = new Set([undefined, 400, 413, 422, 500]);

export function isContextLengthFault({
  statusCode,
  code,
  message,
}: {
  statusCode?: number | undefined;
  code: string;
  message: string;
}): boolean {
  return codes.has(code) || (statuses.has(statusCode) && words.test(message));
}

const limits = [
  /maximum context length (?:is|of)(?: only)? (\d+)/i,
  /context length (?:is|of)(?: only)? (\d+)/i,
  /tokens > (\d+) maximum/i,
  /context limit: \d+ \+ \d+ > (\d+)/i,
  /context size \((\d+)/i,
  /model with (\d+) maximum context/i,
  /must be <= (\d+)/i,
  /less than (\d+) tokens/i,
  /tokens allowed \((\d+)/i,
  /context window (?:is|of) (\d+)/i,
];

/** The server's limit in tokens, if its message names one. */
export function contextLimitIn(message: string): number | undefined {
  for (const limit of limits) {
    const found = limit.exec(message.replaceAll(/(?<=\d),(?=\d{3})/g, ""));
    if (found !== null) return Number(found[1]);
  }
  return undefined;
}
