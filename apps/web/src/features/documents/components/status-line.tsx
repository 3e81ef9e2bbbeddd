import { cva, type VariantProps } from "class-variance-authority";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";

const look = cva("grid min-w-0 gap-[5px] text-xs", {
  variants: {
    tone: {
      neutral: "text-fg-2",
      success: "text-fg-2 [&_svg]:text-success",
      danger: "text-danger",
      waiting: "text-fg-3",
    },
  },
  defaultVariants: { tone: "neutral" },
});

/** A document's status in one line, with an optional icon and a progress bar below. */
export function StatusLine({
  tone,
  icon: Icon,
  iconClassName,
  wraps = false,
  title,
  role,
  progress,
  children,
}: VariantProps<typeof look> & {
  icon?: LucideIcon;
  iconClassName?: string;
  /** Long text: the icon stays at its first line. */
  wraps?: boolean;
  title?: string | undefined;
  role?: "alert" | "status" | undefined;
  progress?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={look({ tone })} role={role}>
      <span className={cn("flex gap-1.5", wraps ? "items-start" : "items-center")} title={title}>
        {Icon && (
          <Icon className={cn("mt-px size-3.5 stroke-2", iconClassName)} aria-hidden="true" />
        )}
        {children}
      </span>
      {progress && <div className="max-w-[var(--progress-width,200px)]">{progress}</div>}
    </div>
  );
}

/** A link within a status. */
export const statusLink =
  "font-medium text-link underline underline-offset-2 max-md:-my-1 max-md:py-1";
