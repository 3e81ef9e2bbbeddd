/* Where a credential may be sent, and a plugin may connect. */

const hostName = /^(?:\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)$/;
const anySubdomain = "*.";

/**
 * A host as it is stored: `api.example.com`, `api.example.com:8443` or `*.example.com`; null if the
 * text is none.
 */
export function readCredentialHost(text: string): string | null {
  const given = text.trim().toLowerCase();
  const isPattern = given.startsWith(anySubdomain);
  const host = isPattern ? given.slice(anySubdomain.length) : given;
  const url = URL.parse(`https://${host}`);
  if (url === null || /[/?#@\\]/.test(host) || !hostName.test(url.hostname)) return null;
  if (!isPattern) return url.host;
  // Neither an address nor a whole top-level domain.
  const isDomain = /\.[a-z][a-z\d-]*$/.test(url.hostname);
  return isDomain ? anySubdomain + url.host : null;
}

/** Whether one of the hosts is the URL's. Without a port, a host stands for all of its ports. */
export const isCredentialHost = (hosts: readonly string[], url: URL): boolean =>
  hosts.some((host) =>
    [url.host, url.hostname].some((name) =>
      host.startsWith(anySubdomain) ? name.endsWith(host.slice(1)) : name === host,
    ),
  );
