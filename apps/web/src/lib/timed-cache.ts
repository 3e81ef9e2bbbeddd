import { readStored, writeStored, type StorageKey } from "./session-storage.ts";

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
