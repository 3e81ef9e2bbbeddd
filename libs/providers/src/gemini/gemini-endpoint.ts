import type { ProviderReply } from "@carrel/egress";
import { describeFault, retryAfter, type Vendor } from "../http/describe-fault.ts";
import type { CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import type { ProviderError } from "../spec/provider-error.ts";

export interface GeminiEndpoint {
  vendor: Vendor;
  /** Without the version. */
  baseUrl: string;
  apiKey: string;
  limits: CallLimits;
}

export const geminiHeaders = ({ apiKey }: GeminiEndpoint): Record<string, string> => ({
  "x-goog-api-key": apiKey,
});

/** google.rpc.Status (ai.google.dev/api, v1beta, 2026). */
interface GoogleError {
  code?: number;
  message?: string;
  status?: string;
  details?: { "@type"?: string; reason?: string; retryDelay?: string }[];
}

/** E.g. `18s` in a RetryInfo; Gemini sends no Retry-After. */
function retryDelayOf({ details = [] }: GoogleError): number | undefined {
  const seconds = /^([\d.]+)s$/.exec(
    details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay ?? "",
  )?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

export function describeGeminiError(
  vendor: Vendor,
  error: GoogleError,
  status?: number,
  retryAfterMs?: number,
): ProviderError {
  const wait = retryAfterMs ?? retryDelayOf(error);
  return describeFault(vendor, {
    ...((status ?? error.code) !== undefined && { statusCode: status ?? error.code! }),
    ...(error.status !== undefined && { code: error.status }),
    message: error.message ?? "",
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

/** Describes a reply with an error status; a proxy's has its own text. */
export function refuseGemini(
  vendor: Vendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const error = readErrorBody(text)?.error as GoogleError | undefined;
  return describeGeminiError(vendor, error ?? { message: text }, status, retryAfter(headers));
}

export const refuseGeminiReply = (
  vendor: Vendor,
  reply: ProviderReply,
  text: string,
): ProviderError => refuseGemini(vendor, reply.status, text, { get: (name) => reply.header(name) });
