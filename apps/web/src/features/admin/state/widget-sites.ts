/**
 * Reads sites as typed, separated by lines, commas or spaces. A site without a scheme is one with
 * HTTPS; of an address only its origin counts.
 */
export function readSites(text: string): { origins: string[]; invalid: string[] } {
  const origins = new Set<string>();
  const invalid: string[] = [];
  for (const entry of text.split(/[\s,]+/)) {
    if (entry === "") continue;
    const origin = originOf(entry);
    if (origin === null) invalid.push(entry);
    else origins.add(origin);
  }
  return { origins: [...origins], invalid };
}

function originOf(entry: string): string | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry) ? entry : `https://${entry}`;
  if (!URL.canParse(address)) return null;
  const { protocol, origin, hostname } = new URL(address);
  // Origins are matched exactly, so a pattern would never match. Chromium writes * as %2A.
  return /^https?:$/.test(protocol) && hostname !== "" && !/[*%]/.test(hostname) ? origin : null;
}
