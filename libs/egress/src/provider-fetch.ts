import dns, { type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent, buildConnector, RequestInfo, RequestInit } from "undici";
import { isMetadataAddress, isMetadataName, plainHost } from "./address-rule.ts";
import { EgressError } from "./egress-error.ts";
import { createPacedClient } from "./paced-client.ts";
import { ProviderReply } from "./provider-reply.ts";

export interface ProviderFetchOptions {
  /** Scheme, host and port set by an admin; no other origin is ever called. */
  origin: string;
  /** Until the response headers; default 120 s (a local model may have to be loaded first). */
  timeoutMs?: number;
  /** Until the connection is established; default 10 s. */
  connectTimeoutMs?: number;
  /** Between two chunks of the body; default 120 s. */
  idleTimeoutMs?: number;
  /** Defaults to the system's lookup. */
  lookup?: LookupFunction;
}

const metadataRefused = (): EgressError =>
  new EgressError("refused", { code: "egress.metadata-address" });

/** Looked up with each call, so that tests can replace it. */
const systemLookup: LookupFunction = (host, options, callback) =>
  (dns.lookup as LookupFunction)(host, options, callback);

/**
 * A provider may use private and loopback addresses (Ollama runs there), but never one that serves
 * credentials, under any name.
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
 * For clients that open their own sockets (databases): the system's resolver, refusing addresses
 * that serve credentials.
 */
export const providerLookup: LookupFunction = guarded(systemLookup);

/** Whether this is a metadata service's name or address. */
export function isMetadataHost(hostname: string): boolean {
  const host = plainHost(hostname);
  return isMetadataName(host) || isMetadataAddress(host);
}

/**
 * Throws EgressError 'refused' for a metadata service's name or address. Names are checked again by
 * `providerLookup` once resolved.
 */
export function requireProviderHost(hostname: string): void {
  if (isMetadataHost(hostname)) throw metadataRefused();
}

type Undici = typeof import("undici");
let undici: Undici | undefined;

/**
 * Loaded by the first call, because it would cost every process 28 MB; kept, because resolving it
 * again would cost every call.
 */
const loadUndici = async (): Promise<Undici> => (undici ??= await import("undici"));

/** Loads the HTTP client ahead of the first call. */
export async function loadProviderFetch(): Promise<void> {
  await loadUndici();
}

export interface ProviderPool {
  /** A WHATWG fetch for vendors' SDKs. Rejects like fetch, or with EgressError 'refused'. */
  fetch: typeof fetch;
  /**
   * Posts JSON and resolves with the response headers, whatever the status. Cheaper than `fetch`
   * for replies of many small pieces. Rejects with the connection's error or EgressError 'refused'.
   */
  post(call: {
    url: URL;
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
  }): Promise<ProviderReply>;
}

/**
 * A keep-alive pool for one origin: no redirects, no proxies, no metadata addresses.
 */
export function createProviderPool(options: ProviderFetchOptions): ProviderPool {
  const { origin } = new URL(options.origin);
  let agent: Agent | undefined;
  const makeAgent = (client: Undici): Agent => {
    const connect = client.buildConnector({
      allowH2: false,
      timeout: options.connectTimeoutMs ?? 10_000,
      lookup: guarded(options.lookup ?? systemLookup),
      // Stops reading after each read, so that the next one can wait (`ConnectionReads`).
      highWaterMark: 1,
    } as buildConnector.BuildOptions);
    return new client.Agent({
      allowH2: false,
      keepAliveTimeout: 10_000,
      headersTimeout: options.timeoutMs ?? 120_000,
      bodyTimeout: options.idleTimeoutMs ?? 120_000,
      factory: (target, limits) =>
        new client.Pool(target, {
          ...limits,
          factory: (server, clientOptions) =>
            createPacedClient(
              (paced) => new client.Client(server, { ...clientOptions, connect: paced }),
              connect,
            ),
        }),
    });
  };
  const requireOrigin = (url: URL): void => {
    if (url.origin !== origin)
      throw new EgressError("refused", { code: "egress.other-origin", params: { origin } });
    requireProviderHost(url.hostname);
  };
  const redirected = (): EgressError =>
    new EgressError("refused", { code: "egress.redirected", params: { origin } });
  return {
    fetch: async (
      input: string | URL | Request,
      init?: globalThis.RequestInit,
    ): Promise<Response> => {
      requireOrigin(new URL(typeof input === "string" || input instanceof URL ? input : input.url));
      const client = await loadUndici();
      agent ??= makeAgent(client);
      const reply = await client.fetch(input as RequestInfo, {
        ...(init as RequestInit),
        redirect: "manual",
        dispatcher: agent,
      });
      if (isRedirect(reply.status) && reply.headers.has("location")) {
        await reply.body?.cancel();
        throw redirected();
      }
      return reply as unknown as Response;
    },
    post: async ({ url, headers, body, signal }) => {
      requireOrigin(url);
      const client = await loadUndici();
      agent ??= makeAgent(client);
      signal.throwIfAborted();
      const reply = new ProviderReply(signal);
      agent.dispatch(
        { origin, path: url.pathname + url.search, method: "POST", headers, body },
        reply,
      );
      await reply.started;
      if (isRedirect(reply.status) && reply.header("location") !== null) {
        reply.release();
        throw redirected();
      }
      return reply;
    },
  };
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Only the `fetch` of a pool. */
export const createProviderFetch = (options: ProviderFetchOptions): typeof fetch =>
  createProviderPool(options).fetch;
