import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";

const pageBody = cva("flex-1 overflow-auto px-6 py-6 max-md:px-4 max-md:py-5", {
  variants: {
    inside: {
      page: "",
      /** Next to a list of providers; on phones the whole page scrolls instead. */
      split: "max-md:overflow-visible",
    },
  },
  defaultVariants: { inside: "page" },
});

/** The width of a settings page's text and fields. */
export const settingsColumn = "grid max-w-[640px] grid-cols-1";

/** The scrolling part of a settings page. */
export const PageBody = ({
  inside,
  className,
  ...rest
}: ComponentProps<"div"> & VariantProps<typeof pageBody>) => (
  <div {...rest} className={pageBody({ inside, className })} />
);
