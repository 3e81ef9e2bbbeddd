import { useEffect, useSyncExternalStore } from "react";
import { keys, readStored, watchStored, writeStored } from "./session-storage.ts";

/**
 * The instance's custom name and logo. Stored in this browser so that the first paint doesn't wait
 * or flash; `features/branding` refreshes them afterwards.
 */
const productName = "Carrel";

/** The format existing clients use (wire-contract 1.6). */
interface KeptName {
  appName: string | null;
  lastFetched: number;
}

export function readKeptName(): KeptName {
  try {
    const kept = JSON.parse(readStored(keys.appName) ?? "null") as Partial<KeptName> | null;
    return {
      appName:
        typeof kept?.appName === "string" && kept.appName.trim() !== ""
          ? kept.appName.trim()
          : null,
      lastFetched: Number(kept?.lastFetched) || 0,
    };
  } catch {
    return { appName: null, lastFetched: 0 }; // not our value: as if nothing were stored
  }
}
export const keepName = (appName: string | null, lastFetched: number): void =>
  writeStored(keys.appName, JSON.stringify({ appName, lastFetched }));

/** The custom name, or null. */
export const useCustomName = (): string | null =>
  useSyncExternalStore(
    (listener) => watchStored(keys.appName, listener),
    () => readKeptName().appName,
  );
export const useAppName = (): string => useCustomName() ?? productName;

/** Sets the tab title: the page, then the instance. */
export function usePageTitle(title: string | null): void {
  const name = useAppName();
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name;
  }, [title, name]);
}

/**
 * Larger logos (in characters) are kept in memory only: local storage holds just a few million in
 * all.
 */
const mostKept = 700_000;
let large: string | null = null;

function readLogo(): string | null {
  const kept = readStored(keys.logo);
  return large ?? (kept?.startsWith("data:image/") ? kept : null);
}

/** Stores the custom logo as a data URL; null for the built-in one. */
export function keepLogo(url: string | null): void {
  large = url !== null && url.length > mostKept ? url : null;
  writeStored(keys.logo, large === null ? url : `large ${Date.now()}`);
}
export const useCustomLogo = (): string | null =>
  useSyncExternalStore((listener) => watchStored(keys.logo, listener), readLogo);

/** Incremented when the instance's name, logo or footer changes. */
let turn = 0;
const listeners = new Set<() => void>();
export const useBrandTurn = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => turn,
  );

/** Marks the stored branding as stale; it stays visible until the fresh one arrives. */
export function brandChanged(): void {
  keepName(readKeptName().appName, 0);
  writeStored(keys.footerLinks, null);
  turn += 1;
  for (const listener of [...listeners]) listener();
}
