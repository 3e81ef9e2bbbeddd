import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { commaSeparated, privateNetworks } from "./fields.ts";
import { Secret } from "./secret.ts";

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

/**
 * A PEM bundle → its certificates, each as PEM. Comments between them are allowed, private keys
 * aren't.
 */
export const certificates = z.string().transform((text, context) => {
  const fault = (message: string): never => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const found: string[] = [];
  for (const [block, label = ""] of text.matchAll(pemBlock)) {
    if (label.endsWith("PRIVATE KEY"))
      return fault("holds a private key; only certificates belong here");
    if (label !== "CERTIFICATE") continue;
    try {
      found.push(new X509Certificate(block).toString());
    } catch {
      return fault(`certificate ${found.length + 1} is damaged`);
    }
  }
  return found.length > 0 ? found : fault("holds no certificate in PEM format");
});

/** Without the text, which may hold a password. */
const notAProxy =
  "must be a URL such as http://proxy.example:3128 or https://user:password@proxy.example:3129";

/** An http(s) URL of only a host, a port and credentials; parsed into a `Secret`. */
export const proxyUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  const isProxy =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    isDecodable(url.username + url.password);
  if (isProxy) return new Secret(url.href);
  context.addIssue({ code: "custom", message: notAProxy });
  return z.NEVER;
});

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const hostName = /^(?:\*?\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i;

function readDestination(item: string): readonly string[] | null {
  if (item.toLowerCase() === "private") return privateNetworks;
  const [address = "", prefix, ...rest] = item.split("/");
  const version = address.includes("%") ? 0 : isIP(address);
  if (version === 0)
    // `.example.com`, as in NO_PROXY.
    return hostName.test(item) && !/^[\d.]+$/.test(item)
      ? [item.startsWith(".") ? `*${item}` : item]
      : null;
  const isRange =
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
  return isRange && rest.length === 0 ? [item] : null;
}

/**
 * Comma-separated host names, `*.example.com` or `.example.com` (subdomains), addresses, CIDR
 * ranges and `private` → the same without the last.
 */
export const destinationList = commaSeparated.transform((items, context) => {
  const read = items.map((item) => ({ item, destinations: readDestination(item) }));
  for (const { item, destinations } of read)
    if (destinations === null)
      context.addIssue({
        code: "custom",
        message: `'${item}' is not a host such as wiki.example, *.example, an address, a network such as 10.0.0.0/8 or private`,
      });
  return read.flatMap(({ destinations }) => destinations ?? []);
});
