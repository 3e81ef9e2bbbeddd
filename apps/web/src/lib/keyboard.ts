import { useLayoutEffect } from "react";

export const isMac =
  typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);
/** The shortcut's label on this platform: "⌘ K" or "Ctrl K". */
export const shortcutLabel = (...keys: string[]): string =>
  [isMac ? "⌘" : "Ctrl", ...keys].join(" ");

/** Whether to mention keys: touch screens have none, unless they come with a pointer. */
export const hasKeyboard = (): boolean => matchMedia("(hover: hover)").matches;

/** A label with its shortcut, on devices with a keyboard. */
export const withShortcut = (label: string, ...keys: string[]): string =>
  hasKeyboard() ? `${label} (${shortcutLabel(...keys)})` : label;

/** Mod is Ctrl, or ⌘ on a Mac. `key` is the character without Shift. */
export interface Shortcut {
  key: string;
  shift?: boolean;
  run: () => void;
}

/** From the layout effect on, so that a key pressed on the first painted frame isn't lost. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (!(isMac ? event.metaKey : event.ctrlKey) || event.altKey || event.isComposing) return;
      const found = shortcuts.find(
        (s) =>
          s.key === event.key.toLowerCase() &&
          Boolean(s.shift) === (event.shiftKey && event.key !== "/"),
      );
      if (!found) return;
      event.preventDefault();
      found.run();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [shortcuts]);
}
