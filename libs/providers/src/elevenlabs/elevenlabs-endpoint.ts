import { describeFault, retryAfter, type Vendor } from "../http/describe-fault.ts";
import type { CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import type { ProviderError } from "../spec/provider-error.ts";

export interface ElevenLabsEndpoint {
  vendor: Vendor;
  /** With the version. */
  baseUrl: string;
  apiKey: string | undefined;
  limits: CallLimits;
}

export const elevenLabsHeaders = ({ apiKey }: ElevenLabsEndpoint): Record<string, string> =>
  apiKey === undefined ? {} : { "xi-api-key": apiKey };

/** `{detail: {status, message}}`; a 422 has a list (elevenlabs.io/docs/api-reference, v1, 2026). */
export function refuseElevenLabs(
  vendor: Vendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const detail: unknown = readErrorBody(text)?.detail;
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  const {
    status: code,
    message,
    msg,
  } = typeof first === "object" && first !== null ? (first as Record<string, unknown>) : {};
  const said = [message, msg, detail].find((each) => typeof each === "string");
  return describeFault(vendor, {
    // A key without characters left is refused with 401.
    statusCode: code === "quota_exceeded" ? 402 : status,
    code: code === "voice_not_found" ? "model_not_found" : typeof code === "string" ? code : "",
    message: said ?? text,
    retryAfterMs: retryAfter(headers),
  });
}
