/** A small box that names a source or a file. */
export const chip =
  "inline-flex h-7 max-w-65 items-center gap-1.5 rounded-sm border border-line ps-1.25 pe-2.5 text-xs/5 text-fg-2 transition-colors hover:border-strong hover:bg-hover max-md:h-9 max-md:max-w-60 max-md:flex-none max-md:ps-2 max-md:pe-3 [&_b]:truncate [&_b]:font-medium [&_b]:text-fg-1";
