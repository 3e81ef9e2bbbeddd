import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";

/** A settings page that is a single list: search and actions on top, then a hint, then the rows. */
export function ListPane({
  label,
  head,
  hint,
  children,
}: {
  label: string;
  head?: ReactNode;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      className="relative flex min-h-0 min-w-0 flex-1 flex-col bg-surface"
      aria-label={label}
    >
      {head && (
        <div className="flex flex-none flex-wrap items-center gap-2 px-6 py-4 max-md:px-4 max-md:py-3 max-md:[&>:is(a,button)]:h-10">
          {head}
        </div>
      )}
      {hint && (
        <p
          className={cn(
            "max-w-[90ch] px-6 pb-4 text-xs text-fg-3 max-md:px-4 max-md:pb-3",
            !head && "pt-4 max-md:pt-3",
          )}
        >
          {hint}
        </p>
      )}
      {children}
    </section>
  );
}

/** The number of rows, announced when it changes. */
export const RowCount = ({ children }: { children: ReactNode }) => (
  <span className="text-fg-3 tabular-nums max-md:hidden" role="status">
    {children}
  </span>
);

/** A column's name before its value, only on phones, where rows have no header. */
export const PhoneLabel = ({ children }: { children: ReactNode }) => (
  <span className="md:hidden">{children} </span>
);
