import type { VendorFault } from "../http/describe-fault.ts";

const rateLimit = { code: "rate_limit_exceeded" };
const quota = { code: "insufficient_quota" };
const key = { code: "invalid_api_key" };
const filter = { code: "content_filter" };
const invalid = { statusCode: 400 };

/**
 * Its codes in words of OpenAI's (platform.minimax.io/docs/api-reference/errorcode, 2026); all others
 * are faults of its own. 1039, "token limit", is about tokens per minute: "retry your requests later".
 */
const faults = new Map<number, Pick<VendorFault, "statusCode" | "code">>([
  [1002, rateLimit],
  [1004, key],
  [1008, quota],
  [1026, filter],
  [1027, filter],
  [1039, rateLimit],
  [1041, rateLimit],
  [1042, invalid],
  [2013, invalid],
  [2045, rateLimit],
  [2049, key],
  [2056, quota],
]);

/** `{base_resp: {status_code, status_msg}}` in a reply of status 200; a status code of 0 is none. */
export function readMinimaxFault(reply: object): VendorFault | null {
  const { base_resp: base } = reply as {
    base_resp?: { status_code?: unknown; status_msg?: unknown } | null;
  };
  const code = base?.status_code;
  if (typeof code !== "number" || code === 0) return null;
  const message = typeof base?.status_msg === "string" ? base.status_msg : "";
  return { message: message === "" ? `${code}` : `${message} (${code})`, ...faults.get(code) };
}
