import { getSupportEmail } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { keys, readStored, writeStored, type StorageKey } from "../../../lib/session-storage.ts";

/**
 * Reads a value stored with the time it was fetched, in the format of existing clients: `{...value,
 * lastFetched}`. Null if there is none or it is older than `lifetime` milliseconds.
 */
export function readTimed(
  key: StorageKey,
  lifetime: number,
  now = Date.now(),
): Record<string, unknown> | null {
  try {
    const stored: unknown = JSON.parse(readStored(key) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { lastFetched, ...value } = stored as Record<string, unknown>;
    return typeof lastFetched === "number" && lastFetched <= now && now - lastFetched < lifetime
      ? value
      : null;
  } catch {
    return null; // not ours or truncated: fetch it again
  }
}

export const writeTimed = (
  key: StorageKey,
  value: Record<string, unknown>,
  now = Date.now(),
): void => writeStored(key, JSON.stringify({ ...value, lastFetched: now }));

/**
 * Cached for an hour (specification 1, section 9) under the storage key that existing clients use.
 */
const supportLifetime = 60 * 60 * 1000;

/**
 * The default address if none was set: `support@` the hostname (RFC 2142). Null for IP addresses
 * and single-label names, which receive no mail.
 */
export function defaultSupport(host: string): string | null {
  const name = host.toLowerCase().replace(/^www\./, "");
  return /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(name) &&
    !/\.(local|localhost|internal|lan|home\.arpa|test|invalid)$/.test(name)
    ? `support@${name}`
    : null;
}

export const supportKeys = { email: ["support-email"] } as const;

export const supportQuery = queryOptions({
  queryKey: supportKeys.email,
  staleTime: supportLifetime,
  queryFn: async ({ signal }): Promise<string | null> => {
    const cached = readTimed(keys.supportEmail, supportLifetime);
    if (cached && (cached.email === null || typeof cached.email === "string")) return cached.email;
    const { supportEmail } = await call(getSupportEmail, {}, { signal });
    writeTimed(keys.supportEmail, { email: supportEmail });
    return supportEmail;
  },
});

/** Invalidates the cached address after a branding change. */
export const clearSupportCache = (): void => writeStored(keys.supportEmail, null);
