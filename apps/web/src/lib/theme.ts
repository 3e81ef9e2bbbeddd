import { useSyncExternalStore } from "react";
import { keys, readStored, writeStored } from "./session-storage.ts";

/** The dark theme is named `default`, as in the specification. */
export type Theme = "default" | "light";
export type ThemeChoice = Theme | "system";

const listeners = new Set<() => void>();
const system = (): MediaQueryList | null =>
  typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: light)") : null;

function readChoice(): ThemeChoice {
  const stored = readStored(keys.theme);
  return stored === "light" || stored === "default" ? stored : "system";
}

/** The active theme: the saved choice, or else the system's preference. */
function readTheme(): Theme {
  const choice = readChoice();
  if (choice !== "system") return choice;
  return system()?.matches ? "light" : "default";
}

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
/** Called with every choice made in this tab, so that it can be saved to the profile. */
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
  system()?.addEventListener("change", apply);
  addEventListener("storage", (event) => {
    if (event.key === keys.theme) apply();
  });
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme);
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, readChoice);
