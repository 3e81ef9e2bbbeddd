import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

const badgeStyles = cva("badge", {
  variants: {
    tone: {
      neutral: "",
      success: "ok",
      warning: "warn",
      danger: "bad",
      info: "info",
      accent: "acc",
    },
  },
  defaultVariants: { tone: "neutral" },
});

export function Badge({
  tone,
  className,
  ...rest
}: ComponentProps<"span"> & VariantProps<typeof badgeStyles>) {
  return <span {...rest} className={cn(badgeStyles({ tone }), className)} />;
}
