import type { ProviderReply } from "@carrel/egress";
import type OpenAI from "openai";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { readFault } from "../http/read-fault.ts";
import { sharedFetch, type CallLimits } from "../http/run-request.ts";
import { readErrorBody } from "../http/run-stream.ts";
import { withOwnHeaders } from "../setting-values.ts";
import type { ProviderError } from "../spec/provider-error.ts";

/**
 * undici's fetch, which egress uses, doesn't recognise the FormData that Node and the SDKs create,
 * so forms are encoded before they are sent.
 */
function withEncodedForms(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (!(init?.body instanceof FormData)) return send(input, init);
    const form = new Response(init.body);
    const headers = new Headers(init.headers);
    headers.set("content-type", form.headers.get("content-type")!);
    return send(input, { ...init, headers, body: await form.arrayBuffer() });
  };
}

export interface OpenAiEndpoint {
  vendor: CalledVendor;
  /** Including the path, e.g. https://api.openai.com/v1 */
  baseUrl: string;
  /** If undefined, no Authorization header is sent (self-hosted servers). */
  apiKey: string | undefined;
  limits: CallLimits;
}

/** Takes 34 MB of memory, so it is loaded on the first call rather than at startup. */
let sdk: typeof import("openai") | undefined;

/** For calls without the SDK. */
export const openAiHeaders = ({ apiKey }: OpenAiEndpoint): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/**
 * For everything except streamed answers: the official SDK without its own retries, timeouts,
 * logging and environment variables.
 */
export async function createOpenAiClient({
  baseUrl,
  apiKey,
  limits,
}: OpenAiEndpoint): Promise<OpenAI> {
  sdk ??= await import("openai");
  return new sdk.OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch: withEncodedForms(
      withOwnHeaders(sharedFetch(new URL(baseUrl).origin, limits), {
        authorization: apiKey === undefined ? null : `Bearer ${apiKey}`,
        "x-api-key": null,
      }),
    ),
    maxRetries: 0,
    timeout: 24 * 3_600_000,
    logLevel: "off",
  });
}

/**
 * Error bodies of the OpenAI protocol are `{error: {message, type, code}}`; some other servers send
 * `{message}` or `{detail}`.
 */
export function describeOpenAiFault(
  vendor: CalledVendor,
  fault: unknown,
  started: boolean,
): ProviderError {
  if (!sdk || !(fault instanceof sdk.APIError) || fault instanceof sdk.APIConnectionError)
    return describeTransportFault(vendor, fault, started);
  const body = fault.error as { message?: unknown; detail?: unknown } | undefined;
  const said = [body?.message, body?.detail, fault.message].find(
    (text): text is string => typeof text === "string",
  );
  return describeFault(vendor, {
    statusCode: fault.status,
    code: fault.code ?? fault.type ?? undefined,
    message: said,
    retryAfterMs: retryAfter(fault.headers),
    cause: fault,
  });
}

/** Describes a reply with an error status; a proxy's reply has its own text. */
export function refuseOpenAi(
  vendor: CalledVendor,
  reply: ProviderReply,
  text: string,
): ProviderError {
  const { code, message = text } = readFault(readErrorBody(text)) ?? {};
  return describeFault(vendor, {
    statusCode: reply.status,
    code,
    message,
    retryAfterMs: retryAfter({ get: (name) => reply.header(name) }),
  });
}
