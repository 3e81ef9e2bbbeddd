import { useCallback, useEffect, useState } from "react";

/**
 * In a text field the key is usually part of a shortcut (Ctrl+C), so it only counts when held this
 * long (ms).
 */
const heldInField = 250;
const isModifier = (event: KeyboardEvent): boolean =>
  event.key === "Control" || event.key === "Meta";
const inField = (): boolean =>
  document.activeElement instanceof HTMLElement &&
  (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) ||
    document.activeElement.isContentEditable);

/**
 * `held` while Ctrl or ⌘ is down. `picked` is started from a menu, for touch, and lasts until it is
 * explicitly ended.
 */
export interface Marking {
  mode: "off" | "held" | "picked";
  marked: ReadonlySet<string>;
  toggle: (slug: string) => void;
  markAll: (slugs: string[]) => void;
  pick: (slug: string) => void;
  end: () => void;
}
const none: { mode: Marking["mode"]; marked: ReadonlySet<string> } = {
  mode: "off",
  marked: new Set(),
};

/** Marks threads for deletion (specification 1, section 4). Releasing the key clears all marks. */
export function useMarking(): Marking {
  const [state, setState] = useState(none);
  useEffect(() => {
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
      if (inField()) waiting = setTimeout(hold, heldInField);
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
      setState(({ mode, marked }) => {
        const next = new Set(marked);
        if (!next.delete(slug)) next.add(slug);
        return { mode, marked: next };
      }),
    [],
  );
  const markAll = useCallback(
    (slugs: string[]) => setState(({ mode }) => ({ mode, marked: new Set(slugs) })),
    [],
  );
  const pick = useCallback(
    (slug: string) => setState({ mode: "picked", marked: new Set([slug]) }),
    [],
  );
  const end = useCallback(() => setState(none), []);
  return { ...state, toggle, markAll, pick, end };
}
