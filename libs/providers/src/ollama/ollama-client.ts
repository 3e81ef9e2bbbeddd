import { Ollama } from "ollama";
import { describeFault, retryAfter, type Vendor } from "../http/describe-fault.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { withOwnHeaders } from "../http/own-headers.ts";
import { sharedFetch, type CallLimits } from "../http/run-request.ts";
import { ProviderError } from "../spec/provider-error.ts";

export interface OllamaEndpoint {
  vendor: Vendor;
  baseUrl: string;
  authToken: string | undefined;
  limits: CallLimits;
}

/**
 * Throws at the first line that is not JSON: the SDK would skip it with a warning, silently losing
 * text. A generator, because an errored TransformStream drops the chunks before the error.
 */
async function* checkedLines(
  body: ReadableStream<Uint8Array>,
  vendor: Vendor,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  const check = (line: string): Error | null => {
    try {
      if (line.trim() !== "") JSON.parse(line);
      return null;
    } catch (fault) {
      return new ProviderError(
        { code: "provider.disconnected", params: { vendor: vendor.name } },
        { kind: "broken-stream", cause: fault },
      );
    }
  };
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const fault = check(line);
      if (fault) throw fault;
      yield encoder.encode(`${line}\n`);
    }
  }
  const fault = check(rest);
  if (fault) throw fault;
  if (rest) yield encoder.encode(rest);
}

async function faultOf(reply: Response, vendor: Vendor): Promise<ProviderError> {
  const text = await reply.text();
  let said = text;
  try {
    const body = JSON.parse(text) as { error?: unknown };
    if (typeof body.error === "string") said = body.error;
  } catch {
    // A proxy's error page: its text is the best message available.
    said = text;
  }
  return describeFault(vendor, {
    statusCode: reply.status,
    message: said,
    retryAfterMs: retryAfter(reply.headers),
  });
}

/**
 * The official SDK. `fetch` handles the signal and refusals, because the SDK supports no signal and
 * prints refusals to the console.
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
      if (!reply.ok) throw await faultOf(reply, vendor);
      if (!reply.body || !reply.headers.get("content-type")?.includes("ndjson")) return reply;
      return new Response(ReadableStream.from(checkedLines(reply.body, vendor)), {
        status: reply.status,
        headers: reply.headers,
      });
    },
  });
}

/**
 * The SDK throws plain errors for `{"error": …}` inside a stream and for a stream without its end.
 */
export function describeOllamaFault(
  vendor: Vendor,
  fault: unknown,
  started: boolean,
): ProviderError {
  if (
    started &&
    fault instanceof Error &&
    fault.constructor === Error &&
    fault.cause === undefined &&
    !fault.message.startsWith("Did not receive done")
  ) {
    return describeFault(vendor, { message: fault.message, cause: fault });
  }
  return describeTransportFault(vendor, fault, started);
}
