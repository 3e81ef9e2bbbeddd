import { cva, type VariantProps } from "class-variance-authority";
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

/** Styles of a button, also for links. */
export const buttonStyles = cva(
  "inline-flex items-center justify-center gap-1.5 rounded-sm border whitespace-nowrap transition-[background,border-color] disabled:border-transparent disabled:bg-hover disabled:bg-none disabled:text-disabled",
  {
    variants: {
      variant: {
        outline:
          "border-line bg-raised font-medium text-fg-1 hover:border-strong hover:bg-hover-tint active:bg-active-tint not-disabled:[&_svg]:text-fg-2",
        primary:
          "border-transparent bg-accent-solid font-semibold text-on-accent hover:bg-accent-solid-hover active:bg-accent-solid-active",
        quiet:
          "border-transparent font-medium text-fg-2 hover:bg-hover hover:text-fg-1 active:bg-active not-disabled:[&_svg]:text-fg-2",
        danger:
          "border-transparent bg-danger-solid font-semibold text-on-danger hover:bg-danger-solid-hover",
        "danger-outline": "border-danger-line bg-danger-subtle font-medium text-danger",
      },
      // Taller on phones, so that fingers can hit it.
      size: {
        sm: "h-7 px-2.5 text-xs max-md:min-h-9",
        md: "h-8 px-3 max-md:min-h-10",
        lg: "h-10 px-5 text-md max-md:min-h-11",
      },
    },
    defaultVariants: { variant: "outline", size: "md" },
  },
);

export type ButtonProps = ComponentProps<"button"> & VariantProps<typeof buttonStyles>;

export function Button({ variant, size, className, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={cn(buttonStyles({ variant, size }), className)} />
  );
}
