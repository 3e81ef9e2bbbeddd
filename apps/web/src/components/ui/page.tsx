import type { ComponentProps, ReactNode } from "react";
import { cn } from "../../lib/cn.ts";
import { column } from "./styles.ts";

/** A page with its content centred, or at the bottom on phones. */
export function Hero({ children }: { children: ReactNode }) {
  return (
    <div
      className="grid flex-1 place-content-center justify-items-stretch overflow-auto py-6 max-md:grid-cols-1 max-md:content-end max-md:justify-stretch max-md:py-4 [&_h2]:text-2xl [&_h2]:font-[560] [&_h2]:tracking-tight [&_h2]:text-balance [&_h2]:wrap-anywhere max-md:[&_h2]:text-[24px]/7.5"
      data-slot="hero"
    >
      <div
        className={cn(
          column,
          "w-[min(100vw-var(--size-sidebar),calc(var(--size-measure)+64px))] max-md:w-full max-md:max-w-full max-md:min-w-0",
        )}
      >
        {children}
      </div>
    </div>
  );
}

/** The page beside the sidebar; the skip link leads to it. */
export function Main({ className, ...rest }: ComponentProps<"main">) {
  return (
    <main
      id="main"
      {...rest}
      className={cn(
        "relative flex min-h-0 min-w-0 flex-col border-subtle bg-surface outline-none md:border-s md:group-data-[sidebar=hidden]/app:border-s-0",
        className,
      )}
    />
  );
}
