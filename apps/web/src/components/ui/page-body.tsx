import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";

const pageBody = cva("flex-1 overflow-auto py-6 max-md:py-5", {
  variants: {
    inside: {
      page: "px-6",
      form: "px-8 max-md:px-4",
      /** Next to a list of providers; on phones the whole page scrolls instead. */
      split: "px-8 max-md:overflow-visible max-md:px-4",
    },
  },
  defaultVariants: { inside: "page" },
});

/** The scrolling part of a settings page. */
export const PageBody = ({
  inside,
  className,
  ...rest
}: ComponentProps<"div"> & VariantProps<typeof pageBody>) => (
  <div {...rest} className={pageBody({ inside, className })} />
);
