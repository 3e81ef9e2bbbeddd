import { isIP, isIPv6, type LookupFunction, type Socket } from "node:net";
import type { buildConnector } from "undici";
import { EgressError, isUntrusted, untrusted } from "./egress-error.ts";
import { areDirect, proxyFor, type EgressProxy } from "./network-settings.ts";

/** How many of a host's addresses the proxy is asked for. */
const mostAddresses = 3;

export interface TunnelEnd {
  /** For error messages; what the proxy is asked for if there are no addresses. */
  hostname: string;
  port: number;
  /** The checked addresses; empty if the proxy resolves the name. */
  addresses: readonly string[];
  /** For all attempts together. */
  timeoutMs: number;
  /** Of the socket, in bytes. */
  highWaterMark?: number | undefined;
}

/** Answers of a proxy that couldn't connect; another address may work. */
const isUnreachable = (status: number): boolean => status >= 500 && status !== 511;

/**
 * A connection through the proxy (CONNECT) to one of the checked addresses. The proxy is never given
 * a name that was resolved here, because it would look it up again and could get another address.
 * Rejects with EgressError.
 */
export async function openTunnel(proxy: EgressProxy, end: TunnelEnd): Promise<Socket> {
  const { Client } = await import("undici");
  const clock = AbortSignal.timeout(end.timeoutMs);
  const host = end.hostname;
  let status = 0;
  for (const target of targetsOf(end)) {
    const client = new Client(proxy.origin, {
      connect: {
        timeout: end.timeoutMs,
        ...(end.highWaterMark !== undefined && { highWaterMark: end.highWaterMark }),
      },
      allowH2: false,
      headersTimeout: end.timeoutMs,
      maxHeaderSize: 32_768,
    });
    try {
      const reply = await client.connect({
        path: target,
        signal: clock,
        headers: {
          host: target,
          ...(proxy.authorization !== null && { "proxy-authorization": proxy.authorization }),
        },
      });
      const socket = reply.socket as Socket;
      status = reply.statusCode;
      if (status >= 200 && status < 300) return socket;
      socket.on("error", () => undefined).destroy();
    } catch (fault) {
      client.destroy().catch(() => undefined);
      throw describeFault(fault, proxy, host, clock);
    }
    if (!isUnreachable(status)) break;
  }
  throw new EgressError(isUnreachable(status) ? "unreachable" : "refused", {
    code: "egress.proxy-refused",
    params: { host, status: String(status) },
  });
}

/** IPv4 first: more proxies can connect to it. */
function targetsOf({ hostname, port, addresses }: TunnelEnd): string[] {
  const hosts = addresses
    .toSorted((one, other) => Number(isIPv6(one)) - Number(isIPv6(other)))
    .slice(0, mostAddresses);
  return (hosts.length > 0 ? hosts : [hostname]).map((host) =>
    isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`,
  );
}

function describeFault(
  fault: unknown,
  { origin }: EgressProxy,
  host: string,
  clock: AbortSignal,
): EgressError {
  if (clock.aborted)
    return new EgressError("timeout", { code: "egress.timed-out", params: { host } }, fault);
  if (isUntrusted(fault)) return untrusted(fault, new URL(origin).hostname);
  return new EgressError("unreachable", { code: "egress.proxy-unreachable" }, fault);
}

/** What a tunnel needs to know besides the host that undici or Node asks for. */
interface TunnelLimits {
  timeoutMs: number;
  highWaterMark?: number;
}

/**
 * A tunnel to a host, whose addresses the lookup checks; null if it is connected to directly.
 * Rejects with EgressError or the lookup's error.
 */
export async function findTunnel(
  host: { hostname: string; port: number },
  lookup: LookupFunction,
  limits: TunnelLimits,
): Promise<Socket | null> {
  const proxy = proxyFor(host.hostname);
  if (proxy === null) return null;
  const addresses = await lookUpAll(host.hostname, lookup).catch((fault: unknown) => {
    // Some networks resolve public names on the proxy only.
    if (proxy.resolvesNames && !(fault instanceof EgressError)) return [];
    throw fault;
  });
  if (areDirect(proxy, addresses)) return null;
  return openTunnel(proxy, {
    ...host,
    ...limits,
    addresses: proxy.resolvesNames ? [] : addresses,
  });
}

function lookUpAll(hostname: string, lookup: LookupFunction): Promise<string[]> {
  if (isIP(hostname) !== 0) return Promise.resolve([hostname]);
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (fault, address) => {
      if (fault) reject(fault);
      else resolve(Array.isArray(address) ? address.map((entry) => entry.address) : [address]);
    });
  });
}

/** Hands undici a tunnel, with TLS inside it for https: `secure` is one of its own connectors. */
export function useTunnel(
  socket: Socket,
  secure: buildConnector.connector,
  ...[options, callback]: Parameters<buildConnector.connector>
): void {
  if (options.protocol === "https:") secure({ ...options, httpSocket: socket }, callback);
  else callback(null, socket);
}

export const portOf = ({ protocol, port }: { protocol: string; port: string }): number =>
  Number(port) || (protocol === "https:" ? 443 : 80);
