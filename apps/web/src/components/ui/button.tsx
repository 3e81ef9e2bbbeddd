import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** The look of a button, also for links. */
export const buttonStyles = cva("btn", {
  variants: {
    variant: {
      outline: "",
      primary: "primary",
      quiet: "quiet",
      danger: "danger",
      "danger-outline": "bad",
    },
    size: { sm: "sm", md: "", lg: "lg" },
  },
  defaultVariants: { variant: "outline", size: "md" },
});

export function Button({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<"button"> & VariantProps<typeof buttonStyles>) {
  return (
    <button type="button" {...rest} className={cn(buttonStyles({ variant, size }), className)} />
  );
}
