const longest = 1_500;
/** Where a path would only lead round in circles, or hand over a token of somebody else. */
const refusedParts = ["/sso", "/api"];

/**
 * A path inside this app as it may be led to after a sign-in, percent-encoded; null for everything
 * else: other sites in
 * whatever spelling, control characters, and what would not fit into the cookie.
 */
export function safeRedirectPath(text: string | null): string | null {
  if (text === null || !text.startsWith("/") || /[\\\p{Cc}]/u.test(text)) return null;
  const base = "http://app.invalid";
  if (!URL.canParse(text, base)) return null;
  const { origin, pathname, search, hash } = new URL(text, base);
  // The parser takes dot segments out, which may bring two slashes together.
  if (origin !== base || pathname.includes("//") || text.split(/[?#]/, 1)[0]!.includes("//"))
    return null;
  if (refusedParts.some((part) => pathname === part || pathname.startsWith(`${part}/`)))
    return null;
  const path = pathname + search + hash;
  return path.length > longest ? null : path;
}
