import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

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
