import { clipText, type ErrorParam, type KnownFault } from "@carrel/contracts";
import { ProviderError, type ProviderErrorKind } from "../spec/provider-error.ts";

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
 * Embeddings: OpenAI "Invalid 'input': maximum input length is 8192 tokens." and
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

/*
 * How vendors report faults that their status leaves open (their API references, 2025 and 2026).
 *
 * Filters: Azure 400 `content_filter` "The response was filtered due to the prompt triggering
 * Azure OpenAI's content management policy", OpenRouter 403 "… requires moderation … Your input was
 * flagged", DeepSeek 400 "Content Exists Risk", Z.ai 400 `1301`, Gemini "blocked".
 * Quotas: OpenAI 429 `insufficient_quota`, DeepSeek 402 "Insufficient Balance", OpenRouter 402
 * "Insufficient credits", Novita and PPIO 403 `NOT_ENOUGH_BALANCE`, Moonshot 429
 * `exceeded_current_quota_error`, Z.ai 429 `1113` "Insufficient balance", xAI 403 "… used all
 * available credits", Anthropic 400 "Your credit balance is too low".
 * Models: OpenRouter 400 "x is not a valid model ID", DeepSeek 400 "Model Not Exist", Mistral 400
 * and Perplexity 400 "Invalid model", Z.ai 400 `1211` "Unknown Model", Bedrock 400 "The provided
 * model identifier is invalid" and 403 "You don't have access to the model", Voyage 400 "Model x is
 * not supported. Supported models are …".
 * Keys: xAI 400 "Incorrect API key provided", Gemini 400 "API key not valid", LiteLLM without a
 * database 400 "No connected db." (1.108.7).
 */
interface Fault {
  statusCode: number | undefined;
  /** Empty if the vendor sent none. */
  code: string;
  message: string;
}

const filterCodes = new Set(["content_filter", "content_policy_violation", "1301"]);
const filterWords =
  /content management policy|content exists risk|(?:input|prompt|request) was flagged|requires moderation|blocked by .{0,20}(?:safety|content)/i;

const isFilterFault = ({ statusCode, code, message }: Fault): boolean =>
  filterCodes.has(code) ||
  ((statusCode === undefined || statusCode < 429) && filterWords.test(message));

const quotaCodes = new Set([
  "insufficient_quota",
  "exceeded_current_quota_error",
  "NOT_ENOUGH_BALANCE",
  "1113",
]);
const quotaWords =
  /insufficient (?:balance|credits?|quota|funds)|not enough balance|out of credits|used all available credits|credit balance is too low/i;

const isQuotaFault = ({ statusCode, code, message }: Fault): boolean =>
  statusCode === 402 || quotaCodes.has(code) || quotaWords.test(message);

const modelCodes = new Set([
  "not_found_error",
  "model_not_found",
  "invalid_model",
  "MODEL_NOT_FOUND",
  "DeploymentNotFound",
  "1211",
]);
const modelWords =
  /invalid model\b|unknown model\b|^model \S+ is not supported|not a valid model|model identifier is invalid|access to the model|model\b.{0,80}\b(?:not exist|not found|doesn't exist|isn't available)/i;

/** A 404 can also mean that the address is wrong. */
const isModelFault = ({ statusCode, code, message }: Fault): boolean =>
  statusCode === 404 ||
  modelCodes.has(code) ||
  ((statusCode === 400 || statusCode === 403 || statusCode === 422) && modelWords.test(message));

const keyCodes = new Set(["authentication_error", "permission_error", "invalid_api_key"]);
const keyWords =
  /(?:incorrect|invalid) api[ -]key|api[ -]key (?:not valid|is invalid|not found)|^no connected db/i;

const isKeyFault = ({ statusCode, code, message }: Fault): boolean =>
  keyCodes.has(code) || (statusCode === 400 && keyWords.test(message));

/** The vendor's display name and address, and the secrets never to show. */
export interface CalledVendor {
  name: string;
  origin: string;
  secrets: readonly string[];
}

/** Prefixes of keys, also as vendors shorten them, and hashes of keys. */
const keyForm =
  /\b(?:(?:sk|pk|gsk|ghp|key|token)[-_.](?=[\w*-]*[\d*.])[\w.*-]{4,}|(?:sk|pk|key|token)-[\w*-]{4,}|(?:xai|hf|r8)[-_](?=[\w*-]*[A-Z*])[\w.*-]{4,}|AIza[\w*-]{4,}|[0-9a-f]{32,}\b)/g;
/** What may be part of a key that `keyForm` doesn't know. */
const mayShowKey = /[*…]|\.\.|(?=[\w-]*\d)[\w-]{8,}|[\w-]{20,}/;

/** What servers and SDKs write when they have no message. */
const placeholderMessage = /^(?:<|(?:\d{3} )?(?:status code \(no body\)|(?:page )?not found\.?)$)/i;

/** The vendor's message with keys masked and its length limited; empty if it says nothing. */
function safeText({ statusCode, message = "" }: VendorFault, secrets: readonly string[]): string {
  let safe = message.replaceAll(/\s+/g, " ").trim();
  // SDKs prepend the status.
  if (statusCode !== undefined && safe.startsWith(`${statusCode} `)) safe = safe.slice(4);
  if (placeholderMessage.test(safe)) return "";
  for (const secret of secrets) if (secret.length >= 4) safe = safe.replaceAll(secret, "***");
  safe = safe.replaceAll(keyForm, "***");
  return safe.length > 300 ? `${clipText(safe, 299)}…` : safe;
}

export interface VendorFault {
  statusCode?: number;
  /** The vendor's error code or type. */
  code?: string;
  message?: string;
  retryAfterMs?: number;
  cause?: unknown;
}

function mapFaultKind({ statusCode, code = "", message = "" }: VendorFault): ProviderErrorKind {
  const fault = { statusCode, code, message };
  if (isContextLengthFault(fault)) return "context-length";
  if (isFilterFault(fault)) return "content-filter";
  if (statusCode === 429 || code.startsWith("rate_limit") || isQuotaFault(fault))
    return "rate-limit";
  if (isModelFault(fault)) return "not-found";
  if (statusCode === 401 || statusCode === 403 || isKeyFault(fault)) return "authentication";
  if (statusCode === undefined || statusCode === 408 || statusCode === 409 || statusCode >= 500)
    return "server";
  return "invalid";
}

/** The message for users: the kind of fault, with the vendor's own message if it sent one. */
function faultOf(
  kind: ProviderErrorKind,
  { name: vendor, origin, secrets }: CalledVendor,
  fault: VendorFault,
): KnownFault {
  const { statusCode, code = "", message = "" } = fault;
  const words = safeText(fault, secrets);
  const said: ErrorParam = words === "" ? "" : { code: "provider.said", params: { words } };
  const status = statusCode ? ` (${statusCode})` : "";
  switch (kind) {
    case "authentication":
      return { code: "provider.key-rejected", params: { vendor, status, said: "" } };
    case "rate-limit":
      return isQuotaFault({ statusCode, code, message })
        ? { code: "provider.quota-used-up", params: { vendor, said } }
        : { code: "provider.rate-limited", params: { vendor, said } };
    case "context-length":
      return { code: "provider.prompt-too-long", params: { said } };
    case "not-found":
      // Vendors name the model that they don't know.
      if (statusCode === 404 && code === "" && words === "")
        return { code: "provider.not-a-model-server", params: { origin } };
      return { code: "provider.model-unknown", params: { vendor, said } };
    case "content-filter":
      return { code: "provider.content-filtered", params: { vendor, said } };
    case "invalid":
      return { code: "provider.request-rejected", params: { vendor, status, said } };
    default:
      return statusCode === 503 || statusCode === 529 || /overloaded/i.test(code)
        ? { code: "provider.overloaded", params: { vendor, said } }
        : { code: "provider.internal-error", params: { status, said } };
  }
}

/** Converts a vendor's error response to our error. */
export function describeFault(vendor: CalledVendor, fault: VendorFault): ProviderError {
  const kind = mapFaultKind(fault);
  const { statusCode, code = "", message = "", retryAfterMs, cause } = fault;
  return new ProviderError(faultOf(kind, vendor, fault), {
    kind,
    statusCode,
    retryAfterMs,
    cause,
    ...(kind === "authentication" && { said: safeText(fault, vendor.secrets) }),
    ...(kind === "context-length" && { contextLimit: contextLimitIn(message) }),
    ...(isQuotaFault({ statusCode, code, message }) && { isRetryable: false }),
  });
}

/**
 * Adds what the vendor says to the fault of a rejected key. Left out by default, because everyone
 * who chats would see it and vendors quote parts and hashes of the key.
 */
export function quoteVendor(error: ProviderError): ProviderError {
  const { fault, said = "", kind, statusCode, cause } = error;
  if (said === "" || fault.code !== "provider.key-rejected") return error;
  const quoted: ErrorParam = { code: "provider.said", params: { words: said } };
  return new ProviderError(
    { ...fault, params: { ...fault.params, said: quoted } },
    { kind, ...(statusCode !== undefined && { statusCode }), cause },
  );
}

/** The same, but only if the words can't contain any part of the key. */
export const quoteHarmlessly = (error: ProviderError): ProviderError =>
  mayShowKey.test(error.said ?? "") ? error : quoteVendor(error);

/** Reads `retry-after` in seconds or as a date, or OpenAI's `retry-after-ms`. */
export function retryAfter(
  headers: { get(name: string): string | null } | undefined,
): number | undefined {
  const milliseconds = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  const text = headers?.get("retry-after");
  if (!text) return undefined;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
