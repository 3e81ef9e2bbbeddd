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

export const isFilterFault = ({ statusCode, code, message }: Fault): boolean =>
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

export const isQuotaFault = ({ statusCode, code, message }: Fault): boolean =>
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

/** A 404 also means that the address is wrong. */
export const isModelFault = ({ statusCode, code, message }: Fault): boolean =>
  statusCode === 404 ||
  modelCodes.has(code) ||
  ((statusCode === 400 || statusCode === 403 || statusCode === 422) && modelWords.test(message));

const keyCodes = new Set(["authentication_error", "permission_error", "invalid_api_key"]);
const keyWords =
  /(?:incorrect|invalid) api[ -]key|api[ -]key (?:not valid|is invalid|not found)|^no connected db/i;

export const isKeyFault = ({ statusCode, code, message }: Fault): boolean =>
  keyCodes.has(code) || (statusCode === 400 && keyWords.test(message));
