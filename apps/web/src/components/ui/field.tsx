import { cva } from "class-variance-authority";
import { CircleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "../../lib/cn.ts";

/** The look of a text control. */
export const inputStyles = cva(
  // Phones zoom in on text controls below 16 px.
  "w-full min-w-0 rounded-sm border bg-field px-[11px] outline-offset-0 disabled:border-line disabled:bg-hover disabled:text-disabled max-md:text-[16px]",
  {
    variants: {
      invalid: {
        true: "border-danger",
        false: "border-control hover:border-fg-3 focus-visible:border-transparent",
      },
      height: { md: "h-9 max-md:h-11", lg: "h-10", lines: "resize-y py-2" },
      /** A box around an input and its buttons. */
      box: {
        true: "flex items-center gap-1.5 pe-1 focus-within:border-transparent focus-within:outline-2 focus-within:outline-focus [&>input]:h-full [&>input]:min-w-0 [&>input]:flex-1 [&>input]:outline-none",
      },
    },
    defaultVariants: { invalid: false, height: "md" },
  },
);

type Invalid = { invalid?: boolean };

export function Input({
  invalid,
  height,
  className,
  ...rest
}: Omit<ComponentProps<"input">, "height"> & Invalid & { height?: "md" | "lg" }) {
  return <input {...rest} className={cn(inputStyles({ invalid, height }), className)} />;
}

export function Select({ invalid, className, ...rest }: ComponentProps<"select"> & Invalid) {
  return (
    <select {...rest} className={cn(inputStyles({ invalid }), "select-arrow pe-7", className)} />
  );
}

export function Textarea({ invalid, className, ...rest }: ComponentProps<"textarea"> & Invalid) {
  return (
    <textarea {...rest} className={cn(inputStyles({ invalid, height: "lines" }), className)} />
  );
}

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

/** A hidden file field that a button opens through its ref. The same file can be chosen again. */
export function FileInput({
  label,
  onFiles,
  ...rest
}: Omit<ComponentProps<"input">, "type" | "hidden" | "onChange"> & {
  label: string;
  onFiles: (files: File[]) => void;
}) {
  return (
    <input
      {...rest}
      type="file"
      hidden
      aria-label={label}
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        target.value = "";
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
