/**
 * A place within this app from an address that came from outside (`redirectTo`, `to`): path, query
 * and fragment. Null for
 * everything that would leave it: other origins in any spelling, `//host`, backslashes, schemes.
 */
export function innerPath(value: unknown): string | null {
  if (typeof value !== "string" || !value.startsWith("/") || value.length > 2048) return null;
  try {
    const url = new URL(value, location.origin);
    if (url.origin !== location.origin || url.pathname.startsWith("//")) return null;
    return `${url.pathname}${url.search}${url.hash}`;
  } catch {
    return null; // no address at all
  }
}
