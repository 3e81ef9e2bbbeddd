import type { LookupFunction } from "node:net";
import {
  isLoopbackName,
  isMetadataAddress,
  isMetadataName,
  isPublicAddress,
  parseAddress,
  plainHost,
  type AllowList,
} from "./address-rule.ts";
import { EgressError } from "./egress-error.ts";

export interface ResolvedAddress {
  address: string;
  family: number;
}
/** Resolves all addresses of a host name; rejects if there are none. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/**
 * Ports of other protocols (the Fetch standard's list, reduced to those that answer with text) and
 * of our own back ends.
 */
const refusedPorts = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 87, 95, 101, 102, 103,
  104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512,
  513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995,
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061,
  5432, 5672, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9200, 10080, 11211,
  27017,
]);
/** Parses a page's address; refuses other protocols, credentials and ports of other services. */
export function parseContentUrl(text: string, base?: string): URL {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch (fault) {
    throw new EgressError("bad-url", { code: "egress.not-an-address" }, fault);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new EgressError("bad-url", { code: "egress.protocol-unsupported" });
  if (url.username !== "" || url.password !== "")
    throw new EgressError("bad-url", { code: "egress.credentials-in-address" });
  if (url.hostname === "") throw new EgressError("bad-url", { code: "egress.not-an-address" });
  checkPort(Number(url.port));
  url.hash = "";
  return url;
}

/** Refuses ports of other services than the `own` ones. */
export function checkPort(port: number, own: readonly number[] = []): void {
  if (refusedPorts.has(port) && !own.includes(port))
    throw new EgressError("refused", {
      code: "egress.port-refused",
      params: { port: String(port) },
    });
}

const notAllowed = (): EgressError => new EgressError("refused", { code: "egress.not-public" });

/**
 * The addresses a connection to this host may use; refuses the host unless all resolved addresses
 * are allowed.
 */
export async function resolveAllowed(
  hostname: string,
  allow: AllowList,
  resolve: Resolve,
): Promise<ResolvedAddress[]> {
  const host = plainHost(hostname);
  if (isMetadataName(host) || host === "") throw notAllowed();
  const literal = parseAddress(host);
  let addresses: ResolvedAddress[];
  if (literal)
    addresses = [{ address: literal.toString(), family: literal.kind() === "ipv4" ? 4 : 6 }];
  else if (isLoopbackName(host)) addresses = [{ address: "127.0.0.1", family: 4 }];
  else {
    try {
      addresses = await resolve(host);
    } catch (fault) {
      throw new EgressError(
        "unreachable",
        { code: "egress.host-unknown", params: { host } },
        fault,
      );
    }
  }
  if (addresses.length === 0)
    throw new EgressError("unreachable", { code: "egress.host-unknown", params: { host } });
  const hostIsAllowed = allow.hasHost(host);
  for (const { address } of addresses) {
    if (isMetadataAddress(address) || !parseAddress(address)) throw notAllowed();
    if (!hostIsAllowed && !isPublicAddress(address) && !allow.hasAddress(address))
      throw notAllowed();
  }
  return addresses;
}

/** Connects only to the checked addresses, because a second lookup could return others. */
export function pinnedLookup(addresses: ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const family =
      options.family === "IPv4" ? 4 : options.family === "IPv6" ? 6 : (options.family ?? 0);
    const fitting = addresses.filter((entry) => family === 0 || entry.family === family);
    const [first] = fitting;
    if (!first)
      callback(Object.assign(new Error("no address of this family"), { code: "ENOTFOUND" }), "", 0);
    else if (options.all) callback(null, fitting);
    else callback(null, first.address, first.family);
  };
}
