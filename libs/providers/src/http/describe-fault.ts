import { clipText } from "@carrel/contracts";
import type { ErrorParam, KnownFault } from "@carrel/contracts";
import { contextLimitIn, isContextLengthFault } from "./context-length.ts";
import { isFilterFault, isKeyFault, isModelFault, isQuotaFault } from "./fault-words.ts";
import { ProviderError, type ProviderErrorKind } from "../spec/provider-error.ts";

/** The vendor's display name and address, and the secrets never to show. */
export interface Vendor {
  name: string;
  origin: string;
  secrets: readonly string[];
}

/** Keys as they begin, also when the vendor shortens them, and hashes of keys. */
const keyForm =
  /\b(?:(?:sk|pk|gsk|ghp|key|token)[-_.](?=[\w*-]*[\d*.])[\w.*-]{4,}|(?:sk|pk|key|token)-[\w*-]{4,}|(?:xai|hf|r8)[-_](?=[\w*-]*[A-Z*])[\w.*-]{4,}|AIza[\w*-]{4,}|[0-9a-f]{32,}\b)/g;
/** What may be a part of a key that `keyForm` doesn't know. */
const mayShowKey = /[*…]|\.\.|(?=[\w-]*\d)[\w-]{8,}|[\w-]{20,}/;

/** What servers and SDKs write in place of a message. */
const placeholderMessage = /^(?:<|(?:\d{3} )?(?:status code \(no body\)|(?:page )?not found\.?)$)/i;

/** The vendor's message with keys masked and its length limited; empty if it says nothing. */
function safeText({ statusCode, message = "" }: VendorFault, secrets: readonly string[]): string {
  let safe = message.replaceAll(/\s+/g, " ").trim();
  // SDKs put the status in front.
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
  { name: vendor, origin, secrets }: Vendor,
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
export function describeFault(vendor: Vendor, fault: VendorFault): ProviderError {
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
 * Adds what the vendor says to the fault of a rejected key. Left out by default, since everyone who
 * chats sees it and vendors quote parts and hashes of the key.
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

/** The same if the words can't contain any of the key. */
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
