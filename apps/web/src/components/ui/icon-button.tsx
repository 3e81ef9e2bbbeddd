import { clsx } from "clsx";
import type { ComponentProps } from "react";

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
      {...rest}
      className={clsx("ib", className)}
      aria-label={label}
      title={rest.title ?? label}
    >
      {children}
    </button>
  );
}
