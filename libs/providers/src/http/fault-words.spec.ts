import { describe, expect, it } from "@jest/globals";
import { describeFault, quoteHarmlessly, quoteVendor } from "./describe-fault.ts";

const vendor = { name: "Vendor", origin: "https://api.test", secrets: ["sk-secret-1"] };

/** Replies as the vendors document them; see fault-words.ts. */
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

/** Web servers and proxies at a wrong address, as the SDKs quote them. */
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
