/**
 * Returns the token of an Authorization header; existing clients send the word `null` when they
 * have none (wire-contract 0).
 */
export function readBearer(header: string | undefined): string | null {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  return token === undefined || token === "null" || token === "undefined" ? null : token;
}

/** Returns one cookie of a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
