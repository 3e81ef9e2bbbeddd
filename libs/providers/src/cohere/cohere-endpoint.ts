import type { ProviderReply } from "@carrel/egress";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { readFault } from "../http/read-fault.ts";
import type { CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import type { ProviderError } from "../spec/provider-error.ts";

export interface CohereEndpoint {
  vendor: CalledVendor;
  /** Without the version. */
  baseUrl: string;
  apiKey: string | undefined;
  limits: CallLimits;
}

export const cohereHeaders = ({ apiKey }: CohereEndpoint): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/** Error bodies are `{id, message}` (docs.cohere.com/reference/errors, v2, 2026). */
export function refuseCohere(
  vendor: CalledVendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  return describeFault(vendor, {
    // 498 is Cohere's own status for an invalid token.
    statusCode: status === 498 ? 401 : status,
    message: readFault(readErrorBody(text))?.message ?? text,
    ...retryAfterOf(headers),
  });
}

function retryAfterOf(headers: { get(name: string): string | null }): { retryAfterMs?: number } {
  const wait = retryAfter(headers);
  return wait === undefined ? {} : { retryAfterMs: wait };
}

export const refuseCohereReply = (
  vendor: CalledVendor,
  reply: ProviderReply,
  text: string,
): ProviderError => refuseCohere(vendor, reply.status, text, { get: (name) => reply.header(name) });
