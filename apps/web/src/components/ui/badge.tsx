import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

const fileType = cva(
  "grid flex-none place-items-center rounded-[5px] bg-active leading-none font-[700] text-fg-2",
  {
    variants: {
      size: {
        sm: "h-6.5 w-6 text-[8px]",
        md: "h-8 w-7 text-[8.5px]",
        wide: "h-6.5 w-7.5 text-[8.5px]",
      },
    },
    defaultVariants: { size: "md" },
  },
);

/** The kind of a file in three or four letters. Decorative: its name is shown next to it. */
export const FileType = ({
  size,
  className,
  ...rest
}: ComponentProps<"span"> & VariantProps<typeof fileType>) => (
  <span {...rest} className={fileType({ size, className })} aria-hidden="true" />
);

const badgeStyles = cva(
  "inline-flex h-5 items-center gap-1 rounded-sm border px-[7px] text-2xs font-medium whitespace-nowrap",
  {
    variants: {
      tone: {
        neutral: "border-line text-fg-2",
        success: "border-success-line bg-success-subtle text-success",
        warning: "border-warning-line bg-warning-subtle text-warning",
        danger: "border-danger-line bg-danger-subtle text-danger",
        info: "border-info-line bg-info-subtle text-info",
        accent: "border-accent-line bg-accent-subtle text-accent",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export function Badge({
  tone,
  className,
  ...rest
}: ComponentProps<"span"> & VariantProps<typeof badgeStyles>) {
  return <span {...rest} className={cn(badgeStyles({ tone }), className)} />;
}
