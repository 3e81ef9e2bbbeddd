import { useLayoutEffect } from "react";

/** Esc stops the answer being written, unless it closes a dialog or a menu. */
export function useStopKey(writing: boolean, onStop: () => void): void {
  // As soon as the button is shown that names the key.
  useLayoutEffect(() => {
    if (!writing) return;
    const listener = (event: KeyboardEvent): void => {
      if (
        event.key === "Escape" &&
        !event.defaultPrevented &&
        !document.querySelector('[role="dialog"], [role="menu"]')
      )
        onStop();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [writing, onStop]);
}
