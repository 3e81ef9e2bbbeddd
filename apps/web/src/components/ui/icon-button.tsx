import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** The look of an icon-only button, for links; mark them with `data-slot="icon-button"` as well. */
export const iconButtonStyles =
  "inline-grid size-7 flex-none place-items-center rounded-sm text-fg-3 transition-[background,color] hover:bg-hover hover:text-fg-1 active:bg-active disabled:bg-transparent disabled:text-disabled aria-pressed:text-accent";

/** An icon-only button, whose label is both accessible name and tooltip. */
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
      className={cn(iconButtonStyles, className)}
      aria-label={label}
      title={rest.title ?? label}
    >
      {children}
    </button>
  );
}
