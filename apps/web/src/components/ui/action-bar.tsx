import type { ReactNode } from "react";

/** The buttons of a form, below its scrolling body. */
export const ActionBar = ({ children }: { children: ReactNode }) => (
  <footer
    data-bottom-bar
    className="flex flex-none items-center gap-2 border-t border-subtle bg-surface px-6 py-3 max-md:sticky max-md:bottom-0 max-md:z-2 max-md:px-4 max-md:[&>button]:h-11"
  >
    {children}
  </footer>
);
