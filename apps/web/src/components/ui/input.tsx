import { cva } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** The look of a text control, also for a box around an input and its buttons. */
export const inputStyles = cva("input", {
  variants: { invalid: { true: "bad" } },
});

type Invalid = { invalid?: boolean };

export function Input({ invalid, className, ...rest }: ComponentProps<"input"> & Invalid) {
  return <input {...rest} className={cn(inputStyles({ invalid }), className)} />;
}

export function Select({ invalid, className, ...rest }: ComponentProps<"select"> & Invalid) {
  return <select {...rest} className={cn(inputStyles({ invalid }), className)} />;
}

export function Textarea({ invalid, className, ...rest }: ComponentProps<"textarea"> & Invalid) {
  return (
    <textarea
      {...rest}
      className={cn(inputStyles({ invalid }), "h-auto resize-y py-2", className)}
    />
  );
}
