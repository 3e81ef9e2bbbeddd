import { cva, type VariantProps } from "class-variance-authority";
import { Search } from "lucide-react";
import type { ComponentProps } from "react";

const field = cva(
  "flex min-w-0 items-center gap-1.5 bg-surface text-fg-3 focus-within:border-transparent focus-within:outline-2 focus-within:outline-focus",
  {
    variants: {
      variant: {
        outlined: "rounded-sm border border-control px-2 focus-within:outline-offset-1",
        /** Above a list in the same box. */
        plain: "h-[38px] border-b border-subtle px-3 focus-within:-outline-offset-2",
      },
    },
    defaultVariants: { variant: "outlined" },
  },
);

/** A search box; the label is its accessible name and, by default, its placeholder. */
export function SearchField({
  label,
  placeholder = label,
  variant,
  className,
  ...input
}: { label: string } & Omit<ComponentProps<"input">, "type"> & VariantProps<typeof field>) {
  return (
    <label className={field({ variant, className })}>
      <Search className="size-3.5 stroke-2" aria-hidden="true" />
      <input
        {...input}
        type="search"
        className="w-full min-w-0 bg-transparent text-sm text-fg-1 outline-none"
        placeholder={placeholder}
        aria-label={label}
      />
    </label>
  );
}
