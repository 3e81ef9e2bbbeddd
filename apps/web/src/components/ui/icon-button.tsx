import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** An icon-only button: its label is both accessible name and tooltip. */
export function IconButton({
  label,
  className,
  children,
  ...rest
}: { label: string } & ComponentProps<"button">) {
  return (
    <button
      type="button"
      data-slot="icon-button"
      {...rest}
      className={cn("ib", className)}
      aria-label={label}
      title={rest.title ?? label}
    >
      {children}
    </button>
  );
}
