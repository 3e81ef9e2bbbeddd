import { useCallback, useLayoutEffect, useState } from "react";

/**
 * In a text field the key is usually part of a shortcut (Ctrl+C), so it only counts when held this
 * long (ms).
 */
const holdDelayMs = 250;
const isModifier = (event: KeyboardEvent): boolean =>
  event.key === "Control" || event.key === "Meta";
const inField = (): boolean =>
  document.activeElement instanceof HTMLElement &&
  (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) ||
    document.activeElement.isContentEditable);

/**
 * `held` while Ctrl or ⌘ is down. `menu` is started from the menu of a thread, for touch, and lasts until it is
 * explicitly ended.
 */
export interface ThreadSelection {
  mode: "off" | "held" | "menu";
  selected: ReadonlySet<string>;
  toggle: (slug: string) => void;
  selectAll: (slugs: string[]) => void;
  startSelecting: (slug: string) => void;
  endSelecting: () => void;
}
const none: { mode: ThreadSelection["mode"]; selected: ReadonlySet<string> } = {
  mode: "off",
  selected: new Set(),
};

/** Marks threads for deletion (specification 1, section 4). Releasing the key clears all marks. */
export function useThreadSelection(): ThreadSelection {
  const [state, setState] = useState(none);
  useLayoutEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const hold = (): void =>
      setState((before) => (before.mode === "off" ? { ...before, mode: "held" } : before));
    const release = (): void => {
      clearTimeout(waiting);
      setState((before) => (before.mode === "held" ? none : before));
    };
    const down = (event: KeyboardEvent): void => {
      clearTimeout(waiting); // another key makes it a shortcut
      if (!isModifier(event) || event.repeat) return;
      if (inField()) waiting = setTimeout(hold, holdDelayMs);
      else hold();
    };
    const up = (event: KeyboardEvent): void => {
      if (isModifier(event)) release();
    };
    addEventListener("keydown", down);
    addEventListener("keyup", up);
    addEventListener("blur", release);
    return () => {
      clearTimeout(waiting);
      removeEventListener("keydown", down);
      removeEventListener("keyup", up);
      removeEventListener("blur", release);
    };
  }, []);
  const toggle = useCallback(
    (slug: string) =>
      setState(({ mode, selected }) => {
        const next = new Set(selected);
        if (!next.delete(slug)) next.add(slug);
        return { mode, selected: next };
      }),
    [],
  );
  const selectAll = useCallback(
    (slugs: string[]) => setState(({ mode }) => ({ mode, selected: new Set(slugs) })),
    [],
  );
  const startSelecting = useCallback(
    (slug: string) => setState({ mode: "menu", selected: new Set([slug]) }),
    [],
  );
  const endSelecting = useCallback(() => setState(none), []);
  return { ...state, toggle, selectAll, startSelecting, endSelecting };
}
