import type { ProviderReply } from "@carrel/egress";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { readFault } from "../http/read-fault.ts";
import type { CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import type { ProviderError } from "../spec/provider-error.ts";

export interface GeminiEndpoint {
  vendor: CalledVendor;
  /** Without the version. */
  baseUrl: string;
  apiKey: string;
  limits: CallLimits;
}

export const geminiHeaders = ({ apiKey }: GeminiEndpoint): Record<string, string> => ({
  "x-goog-api-key": apiKey,
});

/** Error bodies are `{error}`, a google.rpc.Status (ai.google.dev/api, v1beta, 2026). */
export function refuseGemini(
  vendor: CalledVendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const wait = retryAfter(headers);
  const { code, message = text, retryAfterMs } = readFault(readErrorBody(text)) ?? {};
  return describeFault(vendor, {
    statusCode: status,
    code,
    message,
    retryAfterMs: wait ?? retryAfterMs,
  });
}

export const refuseGeminiReply = (
  vendor: CalledVendor,
  reply: ProviderReply,
  text: string,
): ProviderError => refuseGemini(vendor, reply.status, text, { get: (name) => reply.header(name) });
