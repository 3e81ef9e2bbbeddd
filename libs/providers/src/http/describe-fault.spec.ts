import { describe, expect, it } from "@jest/globals";
import {
  contextLimitIn,
  isContextLengthFault,
  describeFault,
  quoteHarmlessly,
  quoteVendor,
} from "./describe-fault.ts";

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

const vendor = { name: "Vendor", origin: "https://api.test", secrets: ["sk-secret-1"] };

/** Replies as the vendors document them; see describe-fault.ts. */
describe("faults that the status leaves open", () => {
  it.each<[string, number | undefined, string | undefined, string, string, string]>([
    [
      "Azure",
      400,
      "content_filter",
      "The response was filtered",
      "content-filter",
      "content-filtered",
    ],
    [
      "OpenRouter",
      403,
      undefined,
      "m requires moderation on p. Your input was flagged for: x",
      "content-filter",
      "content-filtered",
    ],
    [
      "DeepSeek",
      400,
      "invalid_request_error",
      "Content Exists Risk",
      "content-filter",
      "content-filtered",
    ],
    [
      "Z.ai",
      400,
      "1301",
      "System detected potentially unsafe content",
      "content-filter",
      "content-filtered",
    ],
    [
      "OpenAI",
      429,
      "insufficient_quota",
      "You exceeded your current quota",
      "rate-limit",
      "quota-used-up",
    ],
    ["DeepSeek", 402, undefined, "Insufficient Balance", "rate-limit", "quota-used-up"],
    [
      "OpenRouter",
      402,
      undefined,
      "This request requires more credits",
      "rate-limit",
      "quota-used-up",
    ],
    ["Novita", 403, "NOT_ENOUGH_BALANCE", "not enough balance", "rate-limit", "quota-used-up"],
    ["Moonshot", 429, "exceeded_current_quota_error", "suspended", "rate-limit", "quota-used-up"],
    [
      "Anthropic",
      400,
      "invalid_request_error",
      "Your credit balance is too low to access the API",
      "rate-limit",
      "quota-used-up",
    ],
    [
      "Groq",
      429,
      "rate_limit_exceeded",
      "Rate limit reached for model `llama` in organization",
      "rate-limit",
      "rate-limited",
    ],
    [
      "OpenRouter",
      400,
      undefined,
      "nobody/nothing is not a valid model ID",
      "not-found",
      "model-unknown",
    ],
    ["DeepSeek", 400, "invalid_request_error", "Model Not Exist", "not-found", "model-unknown"],
    ["Mistral", 400, "invalid_model", "Invalid model: nothing", "not-found", "model-unknown"],
    [
      "Perplexity",
      400,
      "invalid_model",
      "Invalid model 'nothing'. Permitted models can be found in the documentation",
      "not-found",
      "model-unknown",
    ],
    [
      "Z.ai",
      400,
      "1211",
      "Unknown Model, please check the model code.",
      "not-found",
      "model-unknown",
    ],
    [
      "Azure",
      404,
      "DeploymentNotFound",
      "The API deployment for this resource does not exist",
      "not-found",
      "model-unknown",
    ],
    [
      "Bedrock",
      403,
      "AccessDeniedException",
      "You don't have access to the model with the specified model ID.",
      "not-found",
      "model-unknown",
    ],
    [
      "Bedrock",
      400,
      "ValidationException",
      "The provided model identifier is invalid.",
      "not-found",
      "model-unknown",
    ],
    [
      "xAI",
      400,
      "Client specified an invalid argument",
      "Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai.",
      "authentication",
      "key-rejected",
    ],
    [
      "Gemini",
      400,
      "INVALID_ARGUMENT",
      "API key not valid. Please pass a valid API key.",
      "authentication",
      "key-rejected",
    ],
    ["LiteLLM", 400, "400", "No connected db.", "authentication", "key-rejected"],
    ["Cohere", 401, undefined, "invalid api token", "authentication", "key-rejected"],
    ["Anthropic", 529, "overloaded_error", "Overloaded", "server", "overloaded"],
    ["DeepSeek", 503, undefined, "Server overloaded", "server", "overloaded"],
    ["Anthropic in a stream", undefined, "overloaded_error", "Overloaded", "server", "overloaded"],
    ["anyone", 500, undefined, "Internal error", "server", "internal-error"],
    ["anyone", 400, undefined, "temperature must be at most 1", "invalid", "request-rejected"],
    [
      "anyone",
      400,
      undefined,
      "This model does not support image input",
      "invalid",
      "request-rejected",
    ],
  ])("%s %s %s: %s", (_vendor, statusCode, code, message, kind, fault) => {
    const error = describeFault(vendor, {
      ...(statusCode !== undefined && { statusCode }),
      ...(code !== undefined && { code }),
      message,
    });
    expect([error.kind, error.fault.code]).toEqual([kind, `provider.${fault}`]);
  });

  it("doesn't retry when a quota is used up", () => {
    for (const fault of [{ statusCode: 402 }, { statusCode: 429, code: "insufficient_quota" }])
      expect(describeFault(vendor, fault).isRetryable).toBe(false);
    expect(describeFault(vendor, { statusCode: 429 }).isRetryable).toBe(true);
  });
});

/** From web servers and proxies at a wrong address, as the SDKs quote them. */
describe("replies that no vendor wrote", () => {
  it.each([
    "404 status code (no body)",
    "404 page not found",
    "404 404 page not found",
    "Not Found",
    "<!DOCTYPE html><title>Not found</title>",
    "",
  ])("%j at 404 name the address", (message) => {
    expect(describeFault(vendor, { statusCode: 404, message }).fault).toEqual({
      code: "provider.not-a-model-server",
      params: { origin: vendor.origin },
    });
  });

  it("are never quoted", () => {
    for (const message of ["502 status code (no body)", "502 <html>Bad gateway</html>"])
      expect(describeFault(vendor, { statusCode: 502, message }).message).not.toMatch(/It says|</);
  });

  it("leave a vendor's own words about a model", () => {
    const message = 'model "nothing" not found';
    expect(describeFault(vendor, { statusCode: 404, message }).fault.code).toBe(
      "provider.model-unknown",
    );
  });
});

describe("a rejected key", () => {
  it.each([
    ["Received API Key = sk-...ITlA, Key Hash (Token) =5ea43e25f0a04ea4b3cbd8dbf0a7d2a1", false],
    ["Bad key: gsk_abcdEFGH1234", false],
    ["Incorrect API key provided: xai-Ab12***yz9Q", false],
    ["Unknown key sk-secret-1 of hf_abcDEFgh", false],
    ["Key AIzaSyAbCdEf is not valid", false],
    ["Invalid key in 200", true],
  ])("%s", (message, isHarmless) => {
    const error = describeFault(vendor, { statusCode: 401, message });
    expect(error.message.trim()).toBe("Vendor rejected the key (401). Check it in the settings.");
    expect(quoteVendor(error).message).toContain("It says: ");
    expect(quoteVendor(error).message).not.toMatch(/ITlA|5ea4|EFG|yz9Q|secret|SyA/);
    expect(quoteHarmlessly(error).message.includes(message)).toBe(isHarmless);
  });

  it("masks no ordinary words", () => {
    const message = "The tokenizer of keyboard token_limit hf-internal max_tokens";
    expect(describeFault(vendor, { statusCode: 400, message }).message).toContain(message);
  });
});
