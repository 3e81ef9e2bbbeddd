import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";

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
