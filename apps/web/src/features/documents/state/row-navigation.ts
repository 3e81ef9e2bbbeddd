import {
  useCallback,
  useEffect,
  useInsertionEffect,
  useRef,
  useState,
  type CSSProperties,
  type DragEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
} from "react";
import type { LibraryRowActions } from "./library-actions.ts";
import type { VirtualRows } from "./virtual-rows.ts";

export interface LibraryRowCallbacks extends LibraryRowActions {
  click: (event: MouseEvent<HTMLElement>, index: number) => void;
  drag: (event: DragEvent<HTMLElement>, index: number) => void;
  /** Measures the row, because rows that show a reason are taller. */
  measure: (row: HTMLElement | null) => void;
}

/** Shared by folders and documents in the tree. */
export interface TreeRowProps {
  index: number;
  top: number;
  level: number;
  active: boolean;
  checked: boolean;
  /** Selected through a parent folder. */
  within: boolean;
  callbacks: LibraryRowCallbacks;
}

export const treeRowStyle = (top: number, level: number): CSSProperties =>
  ({ transform: `translateY(${top}px)`, "--level": level }) as CSSProperties;

/** Opens the row's menu for the menu key and the right mouse button. */
export const openRowMenu = (event: MouseEvent<HTMLElement>): void => {
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.click();
};

/** The row's click handler toggles the checkbox; React warns about one without a handler. */
export const handledByRow = (): void => undefined;

/** A row of the tree, with a line for each level above it. */
export const treeRow =
  "group/row absolute inset-x-0 top-0 flex min-h-8 cursor-default items-center gap-2 rounded-sm ps-[calc(8px+var(--level,0)*22px)] pe-1.5 select-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus before:pointer-events-none before:absolute before:inset-y-0 before:start-[14.5px] before:w-[calc(var(--level,0)*22px)] before:bg-[repeating-linear-gradient(to_right,var(--border-default)_0_1px,transparent_1px_22px)] rtl:before:bg-[repeating-linear-gradient(to_left,var(--border-default)_0_1px,transparent_1px_22px)]";

/** The icon and, in its place while hovered or selecting, the checkbox. */
export const swap = {
  place: "group/swap grid flex-none *:[grid-area:1/1]",
  icon: "can-hover:group-hover/row:opacity-0 can-hover:group-has-[:checked,:focus-visible]/swap:opacity-0 can-hover:group-data-choosing/tree:opacity-0",
  checkbox:
    "can-hover:not-checked:opacity-0 can-hover:group-hover/row:opacity-100 can-hover:group-data-choosing/tree:opacity-100 can-hover:focus-visible:opacity-100",
};

/** The end of the row: actions on hover, counts and types otherwise. */
export const rowEnd = "ms-auto inline-flex flex-none items-center gap-1 text-xs/5 text-fg-3";
export const rowActions =
  "inline-flex items-center gap-0.5 can-hover:hidden can-hover:group-focus-within/row:inline-flex can-hover:group-hover/row:inline-flex can-hover:group-has-data-[state=open]/row:inline-flex";

/** Visual text that isn't part of the row's accessible text. */
export const dataText = "after:content-[attr(data-text)] after:[unicode-bidi:plaintext]";

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
