import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** A grey line in place of text that is loading. */
export function Skeleton({ className, ...rest }: ComponentProps<"span">) {
  return <span {...rest} className={cn("h-2.5 rounded-[5px] bg-skeleton", className)} />;
}
