import { cva, type VariantProps } from "class-variance-authority";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";

/** The grid's columns, for its header and all rows; `group/manager` is the document manager. */
export const columns = {
  selectable:
    "[--columns:16px_28px_minmax(0,1fr)_232px_84px_64px] [--progress-width:none] @max-[1101px]/documents:[--columns:16px_28px_minmax(0,1fr)_190px_64px] @max-[901px]/documents:[--columns:16px_28px_minmax(0,1fr)_200px_64px] @max-[601px]/documents:[--columns:16px_28px_minmax(0,1fr)_132px_64px] max-md:[--actions-column:4] max-md:[--columns:16px_28px_minmax(0,1fr)_40px]! max-md:[--status-column:3]",
  plain:
    "[--columns:28px_minmax(0,1fr)_260px_84px_40px] max-lg:[--columns:28px_minmax(0,1fr)_200px_40px] max-md:[--actions-column:3] max-md:[--columns:28px_minmax(0,1fr)_40px] max-md:[--progress-width:none] max-md:[--status-column:2]",
};

const grid = "grid grid-cols-(--columns) items-center gap-3 border-subtle ps-4 pe-3";
export const headRow = `${grid} sticky top-0 z-1 h-8 border-y bg-surface text-xs/5 text-fg-3 max-md:hidden`;
/** On phones the status is below the name. */
export const bodyRow = `group/row ${grid} relative min-h-[52px] border-b focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus md:py-1.5 max-md:gap-y-1 max-md:py-2.5 max-md:pe-1`;
export const selectedRow = "border-accent-line/45 bg-accent-subtle";

export const fileCell = "max-md:mt-0.5 max-md:self-start";
export const titleLine = "block max-w-full truncate font-medium max-md:-my-0.5 max-md:py-0.5";
export const factsLine = "block truncate text-xs text-fg-3 tabular-nums";
export const statusCell = "max-md:col-start-(--status-column) max-md:row-start-2";
export const addedCell = {
  selectable: "text-xs text-fg-3 tabular-nums max-lg:hidden @max-[1101px]/documents:hidden",
  plain: "text-xs text-fg-3 tabular-nums max-lg:hidden",
};
export const actionsCell =
  "flex justify-end max-md:col-start-(--actions-column) max-md:row-span-2 max-md:row-start-1 max-md:self-center max-md:[&_button]:size-10";

const look = cva("grid min-w-0 grid-cols-1 gap-[5px] text-xs", {
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
