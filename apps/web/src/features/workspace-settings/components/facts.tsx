import type { ReactNode } from "react";

/** Names and values in two columns. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[minmax(120px,max-content)_minmax(0,1fr)] items-center gap-x-5 gap-y-1.5 max-md:gap-x-4 max-md:gap-y-0.5">
    {children}
  </dl>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-fg-3">{name}</dt>
    <dd className="flex min-h-7 min-w-0 items-center gap-2 tabular-nums">{children}</dd>
  </>
);
