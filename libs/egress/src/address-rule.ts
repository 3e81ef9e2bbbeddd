import ipaddr from "ipaddr.js";

/**
 * Addresses at which clouds serve credentials; refused even where private addresses are allowed.
 */
const metadataRanges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  "169.254.0.0/16", // AWS, Azure, Google, Oracle, OpenStack, ECS task roles: all link-local
  "168.63.129.16/32", // Azure wire server
  "100.100.100.200/32", // Alibaba
  "192.0.0.192/32", // Oracle, older
  "fe80::/10",
  "fd00:ec2::/32", // AWS over IPv6
  "fd20:ce::/32", // Google over IPv6
  "fd00:42::42/128", // Scaleway
].map((range) => ipaddr.parseCIDR(range));

const metadataNames = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal",
  "metadata.platformequinix.com",
]);

/** Non-public ranges that ipaddr.js counts as unicast. */
const notPublic: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "240.0.0.0/4",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "2620:4f:8000::/48",
].map((range) => ipaddr.parseCIDR(range));

const globalIpv6 = ipaddr.parseCIDR("2000::/3");

const within = (
  address: ipaddr.IPv4 | ipaddr.IPv6,
  [network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number],
): boolean =>
  address.kind() === network.kind() && address.match(network as ipaddr.IPv4 & ipaddr.IPv6, bits);

/** Positions of the bytes that hold an IPv4 address in an IPv6 one. */
type Place = readonly [number, number, number, number];
const lastFour: Place = [12, 13, 14, 15];
/** IPv6 networks whose addresses contain IPv4 ones. */
const carriers: readonly (readonly [network: string, places: readonly Place[]])[] = [
  ["::/96", [lastFour]], // compatible (RFC 4291)
  ["::ffff:0:0/96", [lastFour]], // mapped (RFC 4291)
  ["::ffff:0:0:0/96", [lastFour]], // translated (RFC 2765)
  // NAT64, with a prefix of 96, 64, 56 or 48 bits; byte 8 is never part of it (RFC 6052, RFC 8215).
  ["64:ff9b::/32", [lastFour, [9, 10, 11, 12], [7, 9, 10, 11], [6, 7, 9, 10]]],
  ["2002::/16", [[2, 3, 4, 5]]], // 6to4 (RFC 3056)
  ["2001::/32", [[4, 5, 6, 7]]], // Teredo's server (RFC 4380)
];
const carrierRanges = carriers.map(
  ([network, places]) => [ipaddr.IPv6.parseCIDR(network), places] as const,
);
const teredo = ipaddr.IPv6.parseCIDR("2001::/32");
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe;

/** All IPv4 addresses that an IPv6 one may contain; empty if there are none. */
function carriedIpv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const read = (place: Place): ipaddr.IPv4 => new ipaddr.IPv4(place.map((at) => bytes[at]!));
  const carried = carrierRanges
    .filter(([range]) => within(address, range))
    .flatMap(([, places]) => places.map(read));
  // Teredo obscures the client's address (RFC 4380), ISATAP marks it in any network (RFC 5214).
  if (within(address, teredo))
    carried.push(new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 255)));
  if (isIsatap(address)) carried.push(read(lastFour));
  return carried;
}

/**
 * Parses an address as written by the resolver or the URL parser; null for anything else (zone ids,
 * unusual spellings).
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (bare.includes("%")) return null;
  // Only four decimal parts: the URL parser has already normalised shorter, octal and hexadecimal
  // spellings; elsewhere they are refused.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  return bare.includes(":") && ipaddr.IPv6.isValid(bare) ? ipaddr.IPv6.parse(bare) : null;
}

/**
 * Public unicast: everything except loopback, private, link-local, shared, reserved, documentation,
 * multicast and tunnels into IPv4.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (
    !address ||
    address.range() !== "unicast" ||
    notPublic.some((range) => within(address, range))
  )
    return false;
  if (address.kind() === "ipv4") return true;
  const ipv6 = address as ipaddr.IPv6;
  // Nothing outside 2000::/3 is public: IPv4-compatible, NAT64 (also 64:ff9b:1::), site-local and
  // unassigned.
  return within(ipv6, globalIpv6) && !isIsatap(ipv6);
}

/** An IPv6 address that contains an IPv4 one is also judged by that. */
export function isMetadataAddress(text: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  const all =
    address.kind() === "ipv4" ? [address] : [address, ...carriedIpv4(address as ipaddr.IPv6)];
  return all.some((each) => metadataRanges.some((range) => within(each, range)));
}

/** Lower case, no trailing dots. */
export const plainHost = (host: string): string => host.toLowerCase().replace(/\.+$/, "");

export const isMetadataName = (host: string): boolean => metadataNames.has(plainHost(host));

export const isLoopbackName = (host: string): boolean =>
  /(^|\.)localhost$/.test(plainHost(host)) || plainHost(host) === "localhost.localdomain";

/**
 * Whether a URL stays on this machine, judging by its spelling: `localhost`, its subdomains,
 * 127.0.0.0/8 or ::1.
 */
export function isLoopbackUrl(url: URL): boolean {
  const address = parseAddress(url.hostname);
  return address === null ? isLoopbackName(url.hostname) : address.range() === "loopback";
}

/**
 * Allowed intranet destinations: host names (`wiki.example`), subdomains (`*.example`), addresses
 * and CIDRs. Metadata addresses stay refused.
 */
export interface AllowList {
  hasHost(host: string): boolean;
  hasAddress(address: string): boolean;
}

/**
 * Throws on an entry that is neither a name nor an address range, so that a typo in the
 * configuration prevents startup.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const names = new Set<string>();
  const suffixes: string[] = [];
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const entry of entries.map((text) => text.trim()).filter(Boolean)) {
    if (entry.includes("/")) ranges.push(ipaddr.parseCIDR(entry));
    else if (parseAddress(entry)) {
      const address = parseAddress(entry)!;
      ranges.push([address, address.kind() === "ipv4" ? 32 : 128]);
    } else if (/^\*\.[a-z0-9.-]+$/i.test(entry)) suffixes.push(plainHost(entry.slice(1)));
    else if (/^[a-z0-9_.-]+$/i.test(entry)) names.add(plainHost(entry));
    else throw new Error(`not a host name, address or CIDR: ${entry}`);
  }
  return {
    hasHost: (host) =>
      names.has(plainHost(host)) || suffixes.some((suffix) => plainHost(host).endsWith(suffix)),
    hasAddress: (text) => {
      const address = parseAddress(text);
      return address !== null && ranges.some((range) => within(address, range));
    },
  };
}
