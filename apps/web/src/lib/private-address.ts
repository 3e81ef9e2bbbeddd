const privateNames = /^(?:localhost|[^.:]+|.+\.(?:local|localhost|internal|lan|home\.arpa))$/;
const privateIpv4 =
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.0\.0\.0$)/;
const privateIpv6 = /^\[(?:::1?\]|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/;

/** Whether a URL's host is this machine or in a private network, judging by its name. */
export function isPrivateAddress(address: string): boolean {
  const host = URL.parse(address)?.hostname.toLowerCase() ?? "";
  if (host.startsWith("[")) return privateIpv6.test(host);
  if (/^[\d.]+$/.test(host)) return privateIpv4.test(host);
  return privateNames.test(host);
}
