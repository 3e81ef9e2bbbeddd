import type { ProviderReply } from "@carrel/egress";
import { Ollama } from "ollama";
import { describeFault, retryAfter, type Vendor } from "../http/describe-fault.ts";
import { withOwnHeaders } from "../http/own-headers.ts";
import { readFault } from "../http/read-fault.ts";
import { sharedFetch, type CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import type { ProviderError } from "../spec/provider-error.ts";

export interface OllamaEndpoint {
  vendor: Vendor;
  baseUrl: string;
  authToken: string | undefined;
  limits: CallLimits;
}

/** Describes a refusal. For a proxy's error page, its text is the best message available. */
function describeRefusal(
  vendor: Vendor,
  status: number,
  text: string,
  header: (name: string) => string | null,
): ProviderError {
  return describeFault(vendor, {
    statusCode: status,
    message: readFault(readErrorBody(text))?.message ?? text,
    retryAfterMs: retryAfter({ get: header }),
  });
}

/** Describes a reply with an error status. */
export const refuseOllama = (vendor: Vendor, reply: ProviderReply, text: string): ProviderError =>
  describeRefusal(vendor, reply.status, text, (name) => reply.header(name));

/**
 * For everything except streamed answers: the official SDK. `fetch` handles the signal and
 * refusals, because the SDK supports no signal and prints refusals to the console.
 */
export function createOllamaClient(
  { vendor, baseUrl, authToken, limits }: OllamaEndpoint,
  signal: AbortSignal,
): Ollama {
  const send = withOwnHeaders(sharedFetch(new URL(baseUrl).origin, limits), {
    authorization: authToken ? `Bearer ${authToken}` : null,
  });
  return new Ollama({
    host: baseUrl,
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const reply = await send(input, {
        ...init,
        signal: init?.signal ? AbortSignal.any([signal, init.signal]) : signal,
      });
      if (reply.ok) return reply;
      throw describeRefusal(vendor, reply.status, await reply.text(), (name) =>
        reply.headers.get(name),
      );
    },
  });
}
