import ipaddr from "ipaddr.js";

/**
 * What tries are counted by: an IPv4 address (also where it comes mapped into IPv6), the /64 of an
 * IPv6 address, because
 * one customer has at least that many; `unknown` for what is no address, all of them together.
 */
export function addressGroup(address: string | null | undefined): string {
  const plain = address?.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(plain)) return "unknown";
  const parsed = ipaddr.process(plain);
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
