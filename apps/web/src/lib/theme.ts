import { useSyncExternalStore } from "react";
import { keys, readStored, writeStored } from "./session-storage.ts";

/** The dark theme is named `default`, as the specification has it. */
export type Theme = "default" | "light";
export type ThemeChoice = Theme | "system";

const listeners = new Set<() => void>();
const system = (): MediaQueryList | null =>
  typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: light)") : null;

function readChoice(): ThemeChoice {
  const stored = readStored(keys.theme);
  return stored === "light" || stored === "default" ? stored : "system";
}

/** What is shown: the saved choice, or the system's preference where none is saved. */
function readTheme(): Theme {
  const choice = readChoice();
  if (choice !== "system") return choice;
  return system()?.matches ? "light" : "default";
}

function apply(): void {
  document.documentElement.dataset.theme = readTheme();
  for (const listener of listeners) listener();
}

/** Shows a theme that was chosen before, on another device; tells nobody. */
export function adoptTheme(choice: ThemeChoice): void {
  writeStored(keys.theme, choice === "system" ? null : choice);
  apply();
}

let onChosen: ((choice: ThemeChoice) => void) | null = null;
/** Called with every choice that is made here, so that the profile can keep it. */
export function listenThemeChosen(listener: (choice: ThemeChoice) => void): void {
  onChosen = listener;
}

export function chooseTheme(choice: ThemeChoice): void {
  adoptTheme(choice);
  onChosen?.(choice);
}

/** Follows the system while nothing is chosen, and choices made in other tabs. */
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
