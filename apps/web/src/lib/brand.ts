import { useEffect, useSyncExternalStore } from "react";
import { keys, readStored, watchStored, writeStored } from "./session-storage.ts";

/**
 * Name and logo that were set for this instance, as this browser last heard of them: drawn at once
 * from storage, so that
 * nothing waits and nothing flashes; `features/branding` asks for them anew after the first paint.
 */
const productName = "Carrel";

/** Shape of existing clients (wire-contract 1.6). */
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
    return { appName: null, lastFetched: 0 }; // written by another hand: as if nothing were kept
  }
}
export const keepName = (appName: string | null, lastFetched: number): void =>
  writeStored(keys.appName, JSON.stringify({ appName, lastFetched }));

/** The name that was set, null where none was. */
export const useCustomName = (): string | null =>
  useSyncExternalStore(
    (listener) => watchStored(keys.appName, listener),
    () => readKeptName().appName,
  );
export const useAppName = (): string => useCustomName() ?? productName;

/** The title of the tab: the page, then the instance. */
export function usePageTitle(title: string | null): void {
  const name = useAppName();
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name;
  }, [title, name]);
}

/**
 * Above this many characters a logo is not kept in storage, which has room for a few million in
 * all.
 */
const mostKept = 700_000;
let large: string | null = null;

function readLogo(): string | null {
  const kept = readStored(keys.logo);
  return large ?? (kept?.startsWith("data:image/") ? kept : null);
}

/** The custom logo as a data address; null is the built-in one. */
export function keepLogo(url: string | null): void {
  large = url !== null && url.length > mostKept ? url : null;
  writeStored(keys.logo, large === null ? url : `large ${Date.now()}`);
}
export const useCustomLogo = (): string | null =>
  useSyncExternalStore((listener) => watchStored(keys.logo, listener), readLogo);

/** Raised when name, logo or footer of the instance changed. */
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

/**
 * What is kept is out of date: it is asked for anew, and stays on the page until the answer is
 * there.
 */
export function brandChanged(): void {
  keepName(readKeptName().appName, 0);
  writeStored(keys.footerLinks, null);
  turn += 1;
  for (const listener of [...listeners]) listener();
}
