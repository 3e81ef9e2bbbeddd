import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

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
