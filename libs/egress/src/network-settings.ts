import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { InstanceConfig } from "@carrel/config";
import { isLoopbackName, parseAddress, parseAllowList, type AllowList } from "./address-rule.ts";

type NetworkSettings = Pick<
  InstanceConfig,
  "CARREL_CA" | "CARREL_EGRESS_PROXY" | "CARREL_EGRESS_PROXY_EXCEPT" | "CARREL_EGRESS_PROXY_DNS"
>;

/** The proxy of outgoing HTTP connections. */
export interface EgressProxy {
  /** Scheme, host and port. */
  origin: string;
  /** Value of the header `proxy-authorization`; null without credentials. */
  authorization: string | null;
  /** Whether the proxy is given names instead of addresses that were checked. */
  resolvesNames: boolean;
  except: AllowList;
}

let proxy: EgressProxy | null = null;
/** Those of Node, the system (`--use-system-ca`) and NODE_EXTRA_CA_CERTS. */
let originalCertificates: string[] | undefined;

/**
 * Applies to the whole process: the trusted authorities to every TLS connection, including those of
 * PostgreSQL, Redis and S3, and the proxy to both HTTP clients. To be called before the first
 * connection.
 */
export function applyNetworkSettings(settings: NetworkSettings): void {
  if (settings.CARREL_CA.length > 0 || originalCertificates !== undefined) {
    originalCertificates ??= getCACertificates("default");
    setDefaultCACertificates([...originalCertificates, ...settings.CARREL_CA]);
  }
  proxy = readProxy(settings);
}

function readProxy(settings: NetworkSettings): EgressProxy | null {
  if (settings.CARREL_EGRESS_PROXY === undefined) return null;
  const { origin, username, password } = new URL(settings.CARREL_EGRESS_PROXY.reveal());
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin,
    authorization:
      credentials === ":" ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
    resolvesNames: settings.CARREL_EGRESS_PROXY_DNS === "proxy",
    except: parseAllowList(settings.CARREL_EGRESS_PROXY_EXCEPT),
  };
}

/** The proxy to use for a host unless its addresses are excepted; null if it is connected to directly. */
export function proxyFor(hostname: string): EgressProxy | null {
  if (proxy === null || isLoopbackName(hostname) || proxy.except.hasHost(hostname)) return null;
  return proxy;
}

/** Whether these addresses, all that a host has, are connected to directly. */
export const areDirect = ({ except }: EgressProxy, addresses: readonly string[]): boolean =>
  addresses.length > 0 &&
  addresses.every(
    (address) => parseAddress(address)?.range() === "loopback" || except.hasAddress(address),
  );
