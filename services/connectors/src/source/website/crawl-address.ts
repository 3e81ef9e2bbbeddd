/*
 * Addresses of a crawl: which of them are the same page, and which belong to the part of the site
 * that is imported. Pure text work, because every link of every page passes through here.
 */

/** Parameters that identify a visit or a campaign instead of a page. */
const visitParameter =
  /^(utm_\w+|mtm_\w+|pk_\w+|fbclid|gclid|msclkid|dclid|yclid|mc_[ce]id|_ga|phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|sid|sessid|session_?id|oscsid|zenid|replytocom|share|print)$/i;
/** A session in the path, as Java servers write it. */
const pathSession = /;(jsessionid|phpsessid|sid)=[^/?]*/gi;

const longestAddress = 1_000;
const maxSegments = 14;
/** More parameters are combinations of filters rather than pages. */
const maxParameters = 3;
/** A name that occurs more often in a path is a loop of relative links. */
const maxRepeats = 2;

/** Endings of files that are never text. */
const media =
  /\.(png|jpe?g|gif|webp|svg|ico|avif|bmp|tiff?|css|js|mjs|map|woff2?|ttf|otf|eot|mp3|mp4|m4[av]|ogg|webm|avi|mov|wav|flac|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|iso|apk|deb|rpm|bin|wasm)$/i;

/** The address to fetch: without fragment, sessions and campaigns, parameters in order; or null. */
export function normalise(href: string, base: string | URL): URL | null {
  if (href.length > longestAddress) return null;
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return null;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  if (url.username !== "" || url.password !== "" || url.hostname === "") return null;
  url.hash = "";
  url.pathname = url.pathname.replace(pathSession, "").replace(/\/{2,}/g, "/");
  if (url.search !== "") {
    const kept = [...url.searchParams].filter(([name]) => !visitParameter.test(name));
    kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    url.search = new URLSearchParams(kept).toString();
  }
  return url.href.length > longestAddress ? null : url;
}

/** Pages with the same identity are one: `/x` is `/x/`, and `index.html` its folder. */
export const identityOf = ({ host, pathname, search }: URL): string =>
  `${host}${pathname.replace(/\/index\.(html?|php)$/i, "/").replace(/\/+$/, "")}${search}`;

/** The part of a site to import: an origin and the beginning of its paths. */
export interface CrawlScope {
  origin: string;
  path: string;
}

/** The start's folder, or its whole site. */
export function scopeOf(start: URL, isWholeSite: boolean): CrawlScope {
  const { origin, pathname } = start;
  return { origin, path: isWholeSite ? "/" : pathname.slice(0, pathname.lastIndexOf("/") + 1) };
}

/** `/docs` is inside `/docs/`. */
const isBelow = (pathname: string, folder: string): boolean =>
  pathname.startsWith(folder) || `${pathname}/` === folder;

export const isInScope = ({ origin, pathname }: URL, scope: CrawlScope): boolean =>
  origin === scope.origin && isBelow(pathname, scope.path);

/** Whether an address looks like one of endlessly many: loops, combined filters, deep calendars. */
export function isTrap({ pathname, searchParams }: URL): boolean {
  const segments = pathname.split("/").filter((part) => part !== "");
  if (segments.length > maxSegments || searchParams.size > maxParameters) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > maxRepeats) return true;
    counts.set(segment, count);
  }
  return false;
}

export const isMedia = ({ pathname }: URL): boolean => media.test(pathname);
