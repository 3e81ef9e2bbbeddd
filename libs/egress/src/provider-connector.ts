import type { LookupFunction } from "node:net";
import type { buildConnector } from "undici";
import { isUntrusted, untrusted } from "./egress-error.ts";
import { proxyFor } from "./network-settings.ts";
import { findTunnel, portOf, useTunnel } from "./tunnel.ts";

/** Stops reading after each read, so that the next one can wait (`ConnectionReads`). */
const pacedHighWaterMark = 1;

/**
 * Connects directly or, if one is set, through the proxy. An untrusted certificate is reported as
 * EgressError.
 */
export function createConnector(
  client: typeof import("undici"),
  lookup: LookupFunction,
  timeoutMs: number,
): buildConnector.connector {
  const limits = { highWaterMark: pacedHighWaterMark };
  const direct = client.buildConnector({
    allowH2: false,
    timeout: timeoutMs,
    lookup,
    ...limits,
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    const { hostname } = options;
    const done: typeof callback = (...[fault, socket]) =>
      fault === null
        ? callback(null, socket)
        : callback(isUntrusted(fault) ? untrusted(fault, hostname) : fault, null);
    if (proxyFor(hostname) === null) return direct(options, done);
    findTunnel({ hostname, port: portOf(options) }, lookup, { timeoutMs, ...limits }).then(
      (tunnel) =>
        tunnel === null ? direct(options, done) : useTunnel(tunnel, direct, options, done),
      (fault: Error) => done(fault, null),
    );
  };
}
