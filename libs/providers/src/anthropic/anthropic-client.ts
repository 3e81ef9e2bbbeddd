import type Anthropic from "@anthropic-ai/sdk";
import { describeFault, retryAfter, type Vendor } from "../http/describe-fault.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { withOwnHeaders } from "../http/own-headers.ts";
import { sharedFetch, type CallLimits } from "../http/run-request.ts";
import type { ProviderError } from "../spec/provider-error.ts";

export interface AnthropicEndpoint {
  vendor: Vendor;
  /** Without /v1. */
  baseUrl: string;
  apiKey: string;
  limits: CallLimits;
}

/** Takes 26 MB of memory, so it is loaded on the first call rather than at startup. */
let sdk: typeof import("@anthropic-ai/sdk") | undefined;

/**
 * For everything except streamed answers: the official SDK without its own retries, timeouts,
 * logging and environment variables.
 */
export async function createAnthropicClient({
  baseUrl,
  apiKey,
  limits,
}: AnthropicEndpoint): Promise<Anthropic> {
  sdk ??= await import("@anthropic-ai/sdk");
  return new sdk.Anthropic({
    baseURL: baseUrl,
    apiKey,
    authToken: null,
    webhookKey: null,
    fetch: withOwnHeaders(sharedFetch(new URL(baseUrl).origin, limits), {
      authorization: `Bearer ${apiKey}`,
      "x-api-key": null,
    }),
    maxRetries: 0,
    timeout: 24 * 3_600_000,
    logLevel: "off",
  });
}

/**
 * Error bodies are `{type: 'error', error: {type, message}}`, in a response or as an event in the
 * stream.
 */
export function describeAnthropicFault(
  vendor: Vendor,
  fault: unknown,
  started: boolean,
): ProviderError {
  if (!sdk || !(fault instanceof sdk.APIError) || fault instanceof sdk.APIConnectionError)
    return describeTransportFault(vendor, fault, started);
  const body = fault.error as
    | { error?: { type?: string; message?: string }; type?: string; message?: string }
    | undefined;
  const inner = body?.error ?? body;
  return describeFault(vendor, {
    statusCode: fault.status,
    code: inner?.type,
    message: inner?.message ?? fault.message,
    retryAfterMs: retryAfter(fault.headers),
    cause: fault,
  });
}
