import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** A button that is only an icon: its label is its accessible name and its tooltip. */
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
