import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { TcpNetConnectOpts } from "node:net";
import type { Duplex } from "node:stream";
import { proxyFor } from "./network-settings.ts";
import { providerLookup } from "./provider-fetch.ts";
import { findTunnel } from "./tunnel.ts";

type Connected = (fault: Error | null, socket: Duplex) => void;
type Target = Partial<Pick<TcpNetConnectOpts, "host" | "port">>;

/** Like the SDK's own agents. */
const common = { keepAlive: true, maxSockets: 50, lookup: providerLookup };

/**
 * Agents of Node's HTTP client, for SDKs that take no `fetch`: with the provider client's address
 * rule, and the proxy if one is set.
 *
 * @param timeoutMs to connect to the proxy and through it
 */
export function createNodeAgents(timeoutMs: number): {
  httpAgent: HttpAgent;
  httpsAgent: HttpsAgent;
} {
  /** `connect` makes the socket, over the tunnel if it is given one. */
  function open(
    { host = "localhost", port }: Target,
    connect: (tunnel?: Duplex) => Duplex,
    connected: Connected | undefined,
  ): Duplex | undefined {
    if (connected === undefined || proxyFor(host) === null) return connect();
    findTunnel({ hostname: host, port: Number(port) }, providerLookup, { timeoutMs }).then(
      (tunnel) => connected(null, tunnel === null ? connect() : connect(tunnel)),
      (fault: Error) => connected(fault, undefined as never),
    );
  }

  class TunnellingHttpAgent extends HttpAgent {
    override createConnection(
      ...[options, connected]: Parameters<HttpAgent["createConnection"]>
    ): Duplex | undefined {
      return open(
        options as Target,
        (tunnel) => tunnel ?? super.createConnection(options)!,
        connected as Connected | undefined,
      );
    }
  }
  class TunnellingHttpsAgent extends HttpsAgent {
    override createConnection(
      ...[options, connected]: Parameters<HttpsAgent["createConnection"]>
    ): Duplex | undefined {
      return open(
        options as Target,
        (tunnel) =>
          super.createConnection(tunnel ? ({ ...options, socket: tunnel } as never) : options)!,
        connected as Connected | undefined,
      );
    }
  }
  return {
    httpAgent: new TunnellingHttpAgent(common),
    httpsAgent: new TunnellingHttpsAgent(common),
  };
}
