import { useEffect, useSyncExternalStore } from "react";
import { keys, readStored, watchStored, writeStored } from "./session-storage.ts";

/**
 * The instance's custom name and logo. Stored in this browser so that the first paint doesn't wait
 * or flash; `features/branding` refreshes them afterwards.
 */
const productName = "Carrel";

/** The format existing clients use (wire-contract 1.6). */
interface StoredName {
  appName: string | null;
  lastFetched: number;
}

export function readStoredName(): StoredName {
  try {
    const stored = JSON.parse(readStored(keys.appName) ?? "null") as Partial<StoredName> | null;
    return {
      appName:
        typeof stored?.appName === "string" && stored.appName.trim() !== ""
          ? stored.appName.trim()
          : null,
      lastFetched: Number(stored?.lastFetched) || 0,
    };
  } catch {
    return { appName: null, lastFetched: 0 }; // not our value: as if nothing were stored
  }
}
export const storeName = (appName: string | null, lastFetched: number): void =>
  writeStored(keys.appName, JSON.stringify({ appName, lastFetched }));

/** The custom name, or null. */
export const useCustomName = (): string | null =>
  useSyncExternalStore(
    (listener) => watchStored(keys.appName, listener),
    () => readStoredName().appName,
  );
export const useAppName = (): string => useCustomName() ?? productName;

/**
 * The instance's own page title, which replaces its name in tabs; the gateway writes it into the
 * page.
 */
let pageTitle =
  document.title.trim() === "" || document.title === productName ? null : document.title;
const titleWatchers = new Set<() => void>();
export function setPageTitle(title: string | null): void {
  pageTitle = title;
  for (const watcher of [...titleWatchers]) watcher();
}
const watchTitle = (watcher: () => void): (() => void) => {
  titleWatchers.add(watcher);
  return () => titleWatchers.delete(watcher);
};

/** Sets the tab title: the page, then the instance. */
export function usePageTitle(title: string | null): void {
  const own = useSyncExternalStore(watchTitle, () => pageTitle);
  const appName = useAppName();
  const name = own ?? appName;
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name;
  }, [title, name]);
}

/**
 * Larger logos (in characters) are kept in memory only: local storage holds just a few million in
 * all.
 */
const maxStoredLength = 700_000;
let large: string | null = null;

/** The custom logo as a data URL; null for the built-in one, or if it couldn't be stored. */
export function readLogo(): string | null {
  const stored = readStored(keys.logo);
  return large ?? (stored?.startsWith("data:image/") ? stored : null);
}

/** Stores the custom logo as a data URL; null for the built-in one. */
export function storeLogo(url: string | null): void {
  large = url !== null && url.length > maxStoredLength ? url : null;
  writeStored(keys.logo, large === null ? url : `large ${Date.now()}`);
}
export const useCustomLogo = (): string | null =>
  useSyncExternalStore((listener) => watchStored(keys.logo, listener), readLogo);

/** Incremented when the instance's name, logo or footer changes. */
let version = 0;
const listeners = new Set<() => void>();
export const useBrandingVersion = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );

/** Marks the stored branding as stale; it stays visible until the fresh one arrives. */
export function invalidateBranding(): void {
  storeName(readStoredName().appName, 0);
  writeStored(keys.logoFetch, null);
  writeStored(keys.footerLinks, null);
  version += 1;
  for (const listener of [...listeners]) listener();
}
