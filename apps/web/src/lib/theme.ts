import { useSyncExternalStore } from "react";
import {
  readTheme,
  readThemeChoice,
  systemTheme,
  type Theme,
  type ThemeChoice,
} from "./active-theme.ts";
import { keys, writeStored } from "./session-storage.ts";

const listeners = new Set<() => void>();

function apply(): void {
  document.documentElement.dataset.theme = readTheme();
  for (const listener of listeners) listener();
}

/**
 * Applies a theme chosen earlier, for instance on another device, without notifying the listener.
 */
export function adoptTheme(choice: ThemeChoice): void {
  writeStored(keys.theme, choice === "system" ? null : choice);
  apply();
}

let onChosen: ((choice: ThemeChoice) => void) | null = null;
/** Called with every choice made in this tab, to save it to the profile. */
export function listenThemeChosen(listener: (choice: ThemeChoice) => void): void {
  onChosen = listener;
}

export function chooseTheme(choice: ThemeChoice): void {
  adoptTheme(choice);
  onChosen?.(choice);
}

/** Follows the system while no theme is chosen, and choices made in other tabs. */
export function startTheme(): void {
  apply();
  systemTheme()?.addEventListener("change", apply);
  addEventListener("storage", (event) => {
    if (event.key === keys.theme) apply();
  });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme);
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, readThemeChoice);
