/** A panel beside the page; the page marks it with `data-panel` to make room. */
export const sidePanel =
  "flex min-h-0 min-w-0 flex-col border-subtle bg-canvas outline-none max-md:fixed max-md:inset-0 max-md:z-(--layer-sheet) md:border-s [&>header]:ps-3 [&>header]:pe-2 max-md:[&_[data-slot=icon-button]]:size-10";

/** The panel's scrolling part. */
export const pageArea =
  "flex-1 overflow-auto p-4 [scrollbar-color:var(--border-default)_transparent] [scrollbar-width:thin] max-md:px-2 max-md:py-3";
