import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** A key or a keyboard shortcut; touch screens have none. */
export function Kbd({ className, ...rest }: ComponentProps<"kbd">) {
  return (
    <kbd
      {...rest}
      className={cn(
        "rounded-[4px] border border-line bg-surface px-[5px] font-sans text-2xs font-medium whitespace-nowrap text-fg-3 by-touch:hidden",
        className,
      )}
    />
  );
}
