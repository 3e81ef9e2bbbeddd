const longest = 1_500;
/** Paths that would cause a redirect loop or pass on someone else's token. */
const refusedParts = ["/sso", "/api"];

/**
 * Returns a path within this app that is safe to redirect to after a sign-in, percent-encoded. null
 * for everything else: other sites however spelled, control characters, and paths too long for the
 * cookie.
 */
export function safeRedirectPath(text: string | null): string | null {
  if (text === null || !text.startsWith("/") || /[\\\p{Cc}]/u.test(text)) return null;
  const base = "http://app.invalid";
  if (!URL.canParse(text, base)) return null;
  const { origin, pathname, search, hash } = new URL(text, base);
  // The parser removes dot segments, which can bring two slashes together.
  if (origin !== base || pathname.includes("//") || text.split(/[?#]/, 1)[0]!.includes("//"))
    return null;
  if (refusedParts.some((part) => pathname === part || pathname.startsWith(`${part}/`)))
    return null;
  const path = pathname + search + hash;
  return path.length > longest ? null : path;
}
