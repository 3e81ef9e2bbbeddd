import ipaddr from "ipaddr.js";

/**
 * Attempts are counted per IPv4 address (including IPv4-mapped IPv6) or per /64 of an IPv6 address,
 * because one customer has at least that many. Everything that is not an address counts together as
 * `unknown`.
 */
export function addressGroup(address: string | null | undefined): string {
  const plain = address?.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(plain)) return "unknown";
  const parsed = ipaddr.process(plain);
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
