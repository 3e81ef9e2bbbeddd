/** A small box that names a source or a file. */
export const chip =
  "inline-flex h-7 max-w-65 items-center gap-1.5 rounded-sm border border-line ps-1.25 pe-2.5 text-xs/5 text-fg-2 transition-colors hover:border-strong hover:bg-hover max-md:h-9 max-md:max-w-60 max-md:flex-none max-md:ps-2 max-md:pe-3 [&_b]:truncate [&_b]:font-medium [&_b]:text-fg-1";

/** A question in its bubble. */
export const questionBubble =
  "max-w-[86%] min-w-0 justify-self-end rounded-[var(--radius-lg)_var(--radius-lg)_var(--radius-sm)_var(--radius-lg)] border border-line bg-raised px-3.5 py-2.25 text-md wrap-anywhere whitespace-pre-wrap in-data-[text-size=large]:text-[calc(var(--text-md)*1.2)]/[calc(var(--leading-md)*1.2)] in-data-[text-size=small]:text-sm max-md:max-w-[92%] light:border-subtle light:bg-canvas";

/** A panel beside the page; the page marks it with `data-panel` to make room. */
export const sidePanel =
  "flex min-h-0 min-w-0 flex-col border-subtle bg-canvas outline-none max-md:fixed max-md:inset-0 max-md:z-(--layer-sheet) md:border-s [&>header]:ps-3 [&>header]:pe-2 max-md:[&_[data-slot=icon-button]]:size-10";

/** The panel's scrolling part. */
export const pageArea =
  "flex-1 overflow-auto p-4 [scrollbar-color:var(--border-default)_transparent] [scrollbar-width:thin] max-md:px-2 max-md:py-3";

/** The reading width, for a conversation or a welcome page. */
export const column = "mx-auto w-full max-w-[calc(var(--size-measure)+64px)] px-8 max-md:px-4";

/** A link in a text or beside a label; also for buttons that look like one. */
export const linkStyles =
  "rounded-[3px] font-medium text-link underline-offset-3 hover:underline pointer-coarse:py-0.5";

/** The bar above a page or a side panel. */
export const topbar =
  "flex h-12 flex-none items-center gap-1 border-b border-subtle ps-4 pe-3 max-md:h-13 max-md:px-2 max-md:[&_[data-slot=icon-button]]:size-10";

/** A row of the sidebar, or of a list that looks like it. */
export const navRow =
  "relative flex min-h-7.5 w-full items-center gap-2 rounded-sm px-2 text-fg-2 transition-[background] hover:bg-hover hover:text-fg-1 aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-fg-1 max-md:min-h-10 [&_svg]:text-fg-3 aria-[current]:[&_svg]:text-accent";
