import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent, RequestInfo, RequestInit } from "undici";
import { isMetadataAddress, isMetadataName, plainHost } from "./address-rule.ts";
import { EgressError } from "./egress-error.ts";

export interface ProviderFetchOptions {
  /** Scheme, host and port that an admin set; nothing else is ever called. */
  origin: string;
  /** Until the reply's headers; default 120 s (a local model may have to be loaded first). */
  timeoutMs?: number;
  /** Until the connection stands; default 10 s. */
  connectTimeoutMs?: number;
  /** Between two pieces of the body; default 120 s. */
  idleTimeoutMs?: number;
  /** Default the system's. */
  lookup?: LookupFunction;
}

const metadataRefused = (): EgressError =>
  new EgressError(
    "refused",
    "This address belongs to the cloud that the server runs in, not to a provider.",
  );

/**
 * Private and loopback addresses are fine for a provider (Ollama runs there); those that hand out
 * credentials are not, by whatever name.
 */
function guarded(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) => {
    lookup(host, options, (fault, address, family) => {
      if (fault) return callback(fault, address, family);
      const addresses = Array.isArray(address)
        ? address.map((entry: LookupAddress) => entry.address)
        : [address];
      return addresses.some(isMetadataAddress)
        ? callback(metadataRefused(), address, family)
        : callback(null, address, family);
    });
  };
}

/**
 * For clients that open their own sockets (databases): the system's resolver, but no address that
 * hands out credentials.
 */
export const providerLookup: LookupFunction = guarded(systemLookup as LookupFunction);

/**
 * Throws EgressError 'refused' for a host that is a metadata service by its name or spelling; names
 * are looked at again by `providerLookup`.
 */
export function requireProviderHost(hostname: string): void {
  const host = plainHost(hostname);
  if (isMetadataName(host) || isMetadataAddress(host)) throw metadataRefused();
}

/** Loads the HTTP client ahead of the first call. */
export async function loadProviderFetch(): Promise<void> {
  await import("undici");
}

/**
 * A WHATWG fetch for vendors' SDKs with a keep-alive pool of its own: one origin, no redirects, no
 * proxies, no metadata
 * addresses. Rejects as fetch does (TypeError with a cause), or with EgressError 'refused'.
 */
export function createProviderFetch(options: ProviderFetchOptions): typeof fetch {
  const { origin } = new URL(options.origin);
  let agent: Agent | undefined;
  const makeAgent = (undici: typeof import("undici")) =>
    new undici.Agent({
      allowH2: false,
      keepAliveTimeout: 10_000,
      headersTimeout: options.timeoutMs ?? 120_000,
      bodyTimeout: options.idleTimeoutMs ?? 120_000,
      connect: {
        timeout: options.connectTimeoutMs ?? 10_000,
        lookup: guarded(options.lookup ?? (systemLookup as LookupFunction)),
      },
    });
  const providerFetch = async (
    input: string | URL | Request,
    init?: globalThis.RequestInit,
  ): Promise<Response> => {
    const url = new URL(typeof input === "string" || input instanceof URL ? input : input.url);
    if (url.origin !== origin)
      throw new EgressError("refused", `Only ${origin} may be called here.`);
    requireProviderHost(url.hostname);
    // Loaded with the first call: it costs every process 28 MB otherwise.
    const undici = await import("undici");
    agent ??= makeAgent(undici);
    const reply = await undici.fetch(input as RequestInfo, {
      ...(init as RequestInit),
      redirect: "manual",
      dispatcher: agent,
    });
    if (reply.status >= 300 && reply.status < 400 && reply.headers.has("location")) {
      await reply.body?.cancel();
      throw new EgressError(
        "refused",
        `${origin} answered with a redirect; set the address it leads to instead.`,
      );
    }
    return reply as unknown as Response;
  };
  return providerFetch;
}
