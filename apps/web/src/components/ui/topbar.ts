/** The bar above a page or a side panel. */
export const topbar =
  "flex h-12 flex-none items-center gap-1 border-b border-subtle ps-4 pe-3 max-md:h-13 max-md:px-2 max-md:[&_[data-slot=icon-button]]:size-10";
