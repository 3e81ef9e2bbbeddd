import type { ThreadWire } from "@carrel/contracts";
import { navRow } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";

/** Link to a thread; null: the default thread. */
export const linkToThread = (slug: string, thread: string | null) =>
  thread === null
    ? ({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug } } as const)
    : ({
        to: "/workspace/$workspaceSlug/t/$threadSlug",
        params: { workspaceSlug: slug, threadSlug: thread },
      } as const);

/** A thread's row, with a bar beside the current one. */
export const threadNav = cn(
  navRow,
  "aria-[current]:before:absolute aria-[current]:before:inset-y-1.5 aria-[current]:before:-start-2.5 aria-[current]:before:w-0.75 aria-[current]:before:rounded-[2px] aria-[current]:before:bg-accent-solid",
);

/** A row's buttons, laid over its end. Shown when the row (`group/row`) is hovered or focused. */
export const rowActions =
  "absolute top-0.75 end-0.5 flex rounded-sm bg-canvas bg-hover-tint opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 has-data-[state=open]:opacity-100 max-md:bg-transparent max-md:bg-none max-md:opacity-100 [&_[data-slot=icon-button]]:size-6 max-md:[&_[data-slot=icon-button]]:size-9";

/** The part of a row that its buttons cover. */
export const underActions = "md:group-focus-within/row:invisible md:group-hover/row:invisible";

/**
 * The open dialog: renaming a thread, deleting it or the selected ones, or sharing it (a null slug:
 * the default thread).
 */
export type ThreadDialogRequest =
  | { kind: "rename" | "delete"; thread: ThreadWire }
  | { kind: "share"; threadSlug: string | null }
  | { kind: "delete-selected"; slugs: string[] };
