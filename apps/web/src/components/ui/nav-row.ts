/** A row of the sidebar, or of a list that looks like it. */
export const navRow =
  "relative flex min-h-7.5 w-full items-center gap-2 rounded-sm px-2 text-fg-2 transition-[background] hover:bg-hover hover:text-fg-1 aria-[current]:bg-selected aria-[current]:font-medium aria-[current]:text-fg-1 max-md:min-h-10 [&_svg]:text-fg-3 aria-[current]:[&_svg]:text-accent";
