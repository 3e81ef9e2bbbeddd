import type { CSSProperties, DragEvent, MouseEvent } from "react";
import type { LibraryRowActions } from "../state/library-actions.ts";

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
