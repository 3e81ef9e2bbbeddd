import type { ReactNode } from "react";

/** A part of the page with a title and something at its end. */
export function Card({
  title,
  head,
  children,
}: {
  title: string;
  head?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0 rounded-md border border-line bg-raised" aria-label={title}>
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-subtle px-4 py-2.5">
        <h2 className="font-semibold">{title}</h2>
        {head}
      </header>
      <div className="p-4">{children}</div>
    </section>
  );
}
