import { isIPv4 } from "node:net";

/** Host of a backend URL; '' for a socket path. */
function hostOf(url: URL): string {
  const socket = url.searchParams.get("host");
  return (socket ?? decodeURIComponent(url.hostname)).replace(/^\[|\]$/g, "");
}

const isLocal = (host: string): boolean =>
  host === "" ||
  host.startsWith("/") ||
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "::1" ||
  (isIPv4(host) && host.startsWith("127."));

/**
 * Reports a remote PostgreSQL or Redis without a password: anyone on its network could read
 * everything.
 */
export function backendFaults(config: Record<string, unknown>): string[] {
  if (config.CARREL_ALLOW_OPEN_BACKENDS === true) return [];
  return ["DATABASE_URL", "REDIS_URL"].flatMap((name) => {
    const value = config[name];
    if (typeof value !== "string" || !URL.canParse(value)) return [];
    const url = new URL(value);
    if (isLocal(hostOf(url)) || url.password || url.searchParams.get("password")) return [];
    return [
      `${name}: the server at ${url.host} has no password in its URL; set one, or CARREL_ALLOW_OPEN_BACKENDS=1 if its network is closed`,
    ];
  });
}
