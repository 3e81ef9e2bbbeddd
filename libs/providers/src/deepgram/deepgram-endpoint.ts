import { describeFault, retryAfter, type Vendor } from "../http/describe-fault.ts";
import type { CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import type { ProviderError } from "../spec/provider-error.ts";

export interface DeepgramEndpoint {
  vendor: Vendor;
  /** With the version. */
  baseUrl: string;
  apiKey: string;
  limits: CallLimits;
}

export const deepgramHeaders = ({ apiKey }: DeepgramEndpoint): Record<string, string> => ({
  authorization: `Token ${apiKey}`,
});

/** `{err_code, err_msg}` (developers.deepgram.com/docs/errors, v1, 2026). */
export function refuseDeepgram(
  vendor: Vendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const body = readErrorBody(text);
  const message: unknown = body?.err_msg;
  return describeFault(vendor, {
    statusCode: status,
    message: typeof message === "string" ? message : text,
    retryAfterMs: retryAfter(headers),
  });
}
