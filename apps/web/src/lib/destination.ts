const longest = 2_048;
/** Sign-in pages: going there afterwards would loop or pass on someone else's token. */
const signInPages = /^\/(login|sso|accept-invite|api)(\/|$)/;

/**
 * Where to go after signing in, from an untrusted address (`to`, `redirectTo`): its path, query and
 * fragment if it is within this app, else the home page. Other origins in any spelling, `//host`,
 * backslashes and schemes never leave the app. Call it where the address is used: the router also
 * passes on search parameters that a route's validation left out.
 */
export function destinationOf(value: unknown): string {
  if (typeof value !== "string" || !value.startsWith("/") || value.length > longest) return "/";
  if (!URL.canParse(value, location.origin)) return "/";
  const { origin, pathname, search, hash } = new URL(value, location.origin);
  const leaves = origin !== location.origin || pathname.startsWith("//");
  return leaves || signInPages.test(pathname) ? "/" : `${pathname}${search}${hash}`;
}
