import { CircleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "../../lib/cn.ts";

/** A label, its control and a hint or error below. */
export function Field({ className, ...rest }: ComponentProps<"div">) {
  return <div {...rest} className={cn("grid grid-cols-1 gap-1.5", className)} />;
}

/** The look of a label, also for a row with a label and something at its end. */
export const labelStyles = "flex justify-between gap-2 font-medium";

export function FieldLabel(props: Omit<ComponentProps<"label">, "className">) {
  return <label {...props} className={labelStyles} />;
}

export function FieldHelp({ className, ...rest }: ComponentProps<"p">) {
  return <p {...rest} className={cn("text-xs text-fg-3", className)} />;
}

/** Pass `role="alert"` if the error appears while the field is being edited. */
export function FieldError({
  className,
  children,
  ...rest
}: ComponentProps<"p"> & { children: ReactNode }) {
  return (
    <p {...rest} className={cn("flex items-center gap-[5px] text-xs text-danger", className)}>
      <CircleAlert className="size-3.5 stroke-2" aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
