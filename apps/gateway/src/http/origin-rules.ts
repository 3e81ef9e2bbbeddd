import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { ProcessConfig } from "@carrel/config";

/** Where a request comes from and which host it addresses. */
export interface RequestOrigin {
  /** Pattern of the route. */
  path: string;
  origin: string | undefined;
  fetchSite: string | undefined;
  host: string | undefined;
  /** The route accepts only a key, so other sites' pages and tools may call it. */
  takesKey: boolean;
  method?: string;
  /** Sec-Fetch-Mode and Sec-Fetch-Dest. */
  fetchMode?: string | undefined;
  fetchDest?: string | undefined;
  referer?: string | undefined;
  /** The Authorization header, whatever its value. */
  authorization?: string | undefined;
  /** The route changes something although it is a GET. */
  changesState?: boolean;
}

export interface OriginSettings {
  publicUrl: string | undefined;
  corsOrigins: readonly string[];
  /** Name or address the gateway listens on. */
  listenHost: string;
}

const hostnameOf = (host: string): string | null => {
  const address = `http://${host}`;
  return URL.canParse(address)
    ? new URL(address).hostname.replace(/^\[|\]$/g, "").toLowerCase()
    : null;
};

export const originSettings = (config: ProcessConfig): OriginSettings => ({
  publicUrl: config.CARREL_PUBLIC_URL,
  corsOrigins: config.CARREL_CORS_ORIGINS,
  listenHost: config.CARREL_HOST,
});

/** Whether a response may carry CORS headers for this origin. */
export const isCorsAllowed = (
  request: Pick<RequestOrigin, "origin" | "takesKey">,
  settings: Pick<OriginSettings, "corsOrigins">,
): boolean =>
  request.origin !== undefined &&
  (settings.corsOrigins.includes(request.origin) || request.takesKey);

/**
 * Paths reached from the OpenID provider's site; the proof of the sign-in is in the URL and the
 * cookie.
 */
const signInPaths = new Set(["/api/auth/openid/start", "/api/auth/openid/callback"]);
const isSignIn = (request: RequestOrigin): boolean =>
  signInPaths.has(request.path) &&
  request.method === "GET" &&
  request.origin === undefined &&
  request.fetchMode === "navigate" &&
  request.fetchDest === "document";

/**
 * Whether a page of another site can't have made this request: it can neither set an Authorization
 * header without a preflight nor choose its Referer. Browsers don't send Sec-Fetch-Site to plain
 * HTTP addresses.
 */
const isKnownOwn = ({ authorization, fetchSite, referer, host }: RequestOrigin): boolean =>
  authorization !== undefined ||
  fetchSite === "same-origin" ||
  (referer !== undefined &&
    host !== undefined &&
    URL.canParse(referer) &&
    new URL(referer).host === new URL(`${new URL(referer).protocol}//${host}`).host);

/** Whether another site's page made this request; such a request needs a valid bearer token. */
export function isForeign(request: RequestOrigin, settings: OriginSettings): boolean {
  if (isCorsAllowed(request, settings) || isSignIn(request)) return false;
  if (request.origin === undefined && request.changesState === true) return !isKnownOwn(request);
  if (request.origin === undefined)
    return request.fetchSite === "cross-site" || request.fetchSite === "same-site";
  return !isOwnOrigin(request.origin, request.host, settings);
}

function isOwnOrigin(
  address: string,
  host: string | undefined,
  settings: Pick<OriginSettings, "publicUrl">,
): boolean {
  if (!URL.canParse(address)) return false;
  const origin = new URL(address);
  if (settings.publicUrl !== undefined && origin.host === new URL(settings.publicUrl).host)
    return true;
  // Both use the same scheme, so an explicit default port makes no difference; TLS may end at a
  // proxy.
  const own = `${origin.protocol}//${host ?? ""}`;
  return URL.canParse(own) && origin.host === new URL(own).host;
}

/**
 * Whether a page of this instance made the request; browsers don't send the origin with every GET.
 */
export const isOwnPage = (
  request: RequestOrigin,
  settings: Pick<OriginSettings, "publicUrl">,
): boolean =>
  request.origin === undefined
    ? isKnownOwn({ ...request, authorization: undefined })
    : isOwnOrigin(request.origin, request.host, settings);

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "::1" ||
  (isIP(hostname) === 4 && hostname.startsWith("127."));

let ownAddresses: { addresses: Set<string>; until: number } = { addresses: new Set(), until: 0 };
function isOwnAddress(hostname: string): boolean {
  if (isIP(hostname) === 0) return false;
  if (ownAddresses.until < Date.now()) {
    ownAddresses = {
      addresses: new Set(
        Object.values(networkInterfaces()).flatMap((list) =>
          (list ?? []).map((entry) => entry.address.toLowerCase()),
        ),
      ),
      until: Date.now() + 10_000,
    };
  }
  return ownAddresses.addresses.has(hostname);
}

/**
 * Whether the Host header names this instance. Checked if there is no password, to stop a page that
 * points its own host name at us (DNS rebinding).
 */
export function isOwnHost(
  host: string | undefined,
  settings: Pick<OriginSettings, "publicUrl" | "listenHost">,
): boolean {
  const hostname = host === undefined ? null : hostnameOf(host);
  if (hostname === null) return false;
  if (isLoopback(hostname) || isOwnAddress(hostname)) return true;
  if (
    settings.publicUrl !== undefined &&
    new URL(settings.publicUrl).hostname.replace(/^\[|\]$/g, "").toLowerCase() === hostname
  )
    return true;
  return settings.listenHost.toLowerCase() === hostname;
}
