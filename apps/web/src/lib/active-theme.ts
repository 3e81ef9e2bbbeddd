import { keys, readStored } from "./session-storage.ts";

/** The dark theme is named `default`, as in the specification. */
export type Theme = "default" | "light";
export type ThemeChoice = Theme | "system";

export const systemTheme = (): MediaQueryList | null =>
  typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: light)") : null;

export function readThemeChoice(): ThemeChoice {
  const stored = readStored(keys.theme);
  return stored === "light" || stored === "default" ? stored : "system";
}

/** The active theme: the saved choice, otherwise the system's preference. */
export function readTheme(): Theme {
  const choice = readThemeChoice();
  if (choice !== "system") return choice;
  return systemTheme()?.matches ? "light" : "default";
}
