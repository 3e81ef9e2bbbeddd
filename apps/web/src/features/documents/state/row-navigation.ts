import {
  useCallback,
  useEffect,
  useInsertionEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
} from "react";
import type { VirtualRows } from "./virtual-rows.ts";

export interface RowHandlers {
  /**
   * Called for Space or a click on the checkbox; with `range`, everything from the last selected
   * row.
   */
  select: (index: number, range: boolean, from: number) => void;
  /** Called for Enter. */
  open: (index: number) => void;
  remove: () => void;
  selectAll: () => void;
  /** Left and right arrows in a tree; returns the row to move to, null for none. */
  sideways?: (index: number, forwards: boolean) => number | null;
}

/**
 * Roving focus for a virtualized list: one row is in the tab order, arrow keys move it, and the
 * list scrolls along. The active row stays rendered even when scrolled out of view, so focus is
 * never lost. Rows carry `data-row`.
 */
export function useRowNavigation(
  { box, virtualizer, count, rowHeight, active: current, setActive }: VirtualRows,
  handlers: RowHandlers,
) {
  const anchor = useRef(0);
  /** The row to focus once it is active and rendered. */
  const focusNext = useRef<number | null>(null);
  useEffect(() => {
    // The effect of an earlier render may run after a key moved on; it must not move back.
    if (focusNext.current !== current) return;
    const row = box?.querySelector<HTMLElement>(`[data-row="${current}"]`);
    if (!row) return;
    focusNext.current = null;
    row.focus({ preventScroll: true });
  });
  const moveTo = useCallback(
    (index: number) => {
      const next = Math.min(Math.max(0, index), count - 1);
      if (next < 0) return;
      focusNext.current = next;
      setActive(next);
      virtualizer.scrollToIndex(next, { align: "auto" });
      // Moving to the same row changes no state, so the effect won't run: focus it here.
      box?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus({ preventScroll: true });
    },
    [box, count, virtualizer, setActive],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    const isOnRow = target.closest("[data-row]") === target;
    const mod = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor((box?.clientHeight ?? 400) / rowHeight) - 1);
    const move = (index: number): void => {
      event.preventDefault();
      const next = Math.min(Math.max(0, index), count - 1);
      if (event.shiftKey) handlers.select(next, true, anchor.current);
      else anchor.current = next;
      moveTo(next);
    };
    if (mod && event.key.toLowerCase() === "a" && target.tagName !== "INPUT") {
      event.preventDefault();
      return handlers.selectAll();
    }
    if (!isOnRow && !(target instanceof HTMLInputElement && target.type === "checkbox")) return;
    switch (event.key) {
      case "ArrowDown":
        return move(current + 1);
      case "ArrowUp":
        return move(current - 1);
      case "Home":
        return move(0);
      case "End":
        return move(count - 1);
      case "PageDown":
        return move(current + page);
      case "PageUp":
        return move(current - page);
      case "Delete":
        event.preventDefault();
        return handlers.remove();
    }
    if (!isOnRow || mod || event.altKey) return;
    if (event.key === " ") {
      event.preventDefault();
      handlers.select(current, event.shiftKey, anchor.current);
      if (!event.shiftKey) anchor.current = current;
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      return handlers.open(current);
    }
    if ((event.key === "ArrowRight" || event.key === "ArrowLeft") && handlers.sideways) {
      event.preventDefault();
      const rtl = getComputedStyle(event.currentTarget).direction === "rtl";
      const next = handlers.sideways(current, (event.key === "ArrowRight") !== rtl);
      if (next !== null) {
        anchor.current = next;
        moveTo(next);
      }
    }
  };
  /**
   * A click anywhere in a row makes it active; with Shift or Mod it also selects, as in file
   * managers.
   */
  const onRowClick = useCallback(
    (event: MouseEvent<HTMLElement>, index: number): void => {
      setActive(index);
      const target = event.target as HTMLElement;
      if (event.shiftKey) {
        event.preventDefault();
        handlers.select(index, true, anchor.current);
      } else if (target instanceof HTMLInputElement && target.type === "checkbox") {
        handlers.select(index, false, anchor.current);
        anchor.current = index;
      } else if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        handlers.select(index, false, anchor.current);
        anchor.current = index;
      } else anchor.current = index;
    },
    [handlers, setActive],
  );
  /**
   * A row that gets focus some other way, directly or through one of its controls, becomes active
   * too.
   */
  const onFocus = useCallback(
    (event: FocusEvent<HTMLElement>): void => {
      const row = event.target.closest<HTMLElement>("[data-row]")?.dataset.row;
      if (row !== undefined) setActive(Number(row));
    },
    [setActive],
  );
  return { onKeyDown, onFocus, onRowClick };
}

type AnyCallback = (...parameters: unknown[]) => unknown;

function createRelay<Callbacks extends object>(callbacks: Callbacks) {
  let latest = callbacks;
  const stable = Object.fromEntries(
    Object.keys(callbacks).map((name) => [
      name,
      (...parameters: unknown[]): unknown =>
        (latest as Record<string, AnyCallback>)[name]!(...parameters),
    ]),
  ) as Callbacks;
  return {
    stable,
    update: (next: Callbacks): void => {
      latest = next;
    },
  };
}

/**
 * Callbacks whose identity never changes and that always run their latest version, so that memoized
 * rows re-render only when their own data changes.
 */
export function useStableCallbacks<Callbacks extends object>(callbacks: Callbacks): Callbacks {
  const [{ stable, update }] = useState(() => createRelay(callbacks));
  useInsertionEffect(() => update(callbacks));
  return stable;
}
