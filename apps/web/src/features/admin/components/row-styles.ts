/**
 * Expects the column widths in `--columns` and, if some columns are hidden on narrow windows,
 * `--columns-narrow`.
 */
const row =
  "grid items-center gap-4 border-subtle ps-6 pe-4 grid-cols-(--columns) md:max-lg:grid-cols-[var(--columns-narrow,var(--columns))]";

export const headRow = `${row} sticky top-0 z-1 h-8 border-y bg-surface text-xs/5 text-fg-3 max-md:hidden`;

/** On phones a row is a card: its cells below each other, its menu beside the first. */
export const bodyRow = `${row} relative min-h-[52px] border-b py-1.5 hover:bg-hover max-md:grid-cols-[minmax(0,1fr)_40px] max-md:gap-x-2 max-md:gap-y-1 max-md:py-2.5 max-md:ps-4 max-md:pe-1`;

export const scrollArea =
  "flex-1 overflow-auto scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent **:focus-visible:-outline-offset-2";

/** A button in a row that reads like text. */
export const rowButton =
  "inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-[3px] font-medium hover:underline hover:underline-offset-[3px] [&_svg]:text-fg-3";
