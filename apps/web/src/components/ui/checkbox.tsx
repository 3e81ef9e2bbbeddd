import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** A 16 px checkbox with a 24 px pointer target; `mixed` is the indeterminate state. */
export function Checkbox({
  mixed = false,
  checked,
  className,
  ...input
}: { mixed?: boolean; checked: boolean } & Omit<
  ComponentProps<"input">,
  "type" | "checked" | "ref"
>) {
  return (
    <input
      {...input}
      type="checkbox"
      className={clsx(
        "relative -m-1 size-6 flex-none cursor-pointer appearance-none rounded-sm disabled:cursor-default disabled:opacity-55",
        "before:absolute before:inset-1 before:rounded-[4px] before:border-[1.5px] before:border-control before:bg-surface",
        "not-checked:not-indeterminate:hover:before:border-fg-2",
        "checked:before:border-accent-solid checked:before:bg-accent-solid",
        "indeterminate:before:border-accent-solid indeterminate:before:bg-accent-solid",
        "not-indeterminate:checked:after:absolute not-indeterminate:checked:after:start-[9px] not-indeterminate:checked:after:top-1.5",
        "not-indeterminate:checked:after:h-[9px] not-indeterminate:checked:after:w-[5px] not-indeterminate:checked:after:rotate-42",
        "not-indeterminate:checked:after:border-0 not-indeterminate:checked:after:border-r-2 not-indeterminate:checked:after:border-b-2 not-indeterminate:checked:after:border-on-accent",
        "indeterminate:after:absolute indeterminate:after:inset-x-2 indeterminate:after:top-[11px] indeterminate:after:h-0.5 indeterminate:after:rounded-[1px] indeterminate:after:bg-on-accent",
        className,
      )}
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = mixed;
      }}
    />
  );
}
