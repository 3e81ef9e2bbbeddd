/**
 * The in-app path, query and fragment of an untrusted address (`redirectTo`, `to`). Null for
 * anything that would leave the app: other origins in any spelling, `//host`, backslashes, schemes.
 */
export function internalPath(value: unknown): string | null {
  if (typeof value !== "string" || !value.startsWith("/") || value.length > 2048) return null;
  try {
    const url = new URL(value, location.origin);
    if (url.origin !== location.origin || url.pathname.startsWith("//")) return null;
    return `${url.pathname}${url.search}${url.hash}`;
  } catch {
    return null; // not a URL
  }
}
