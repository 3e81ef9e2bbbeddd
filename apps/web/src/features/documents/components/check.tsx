import type { ComponentProps } from "react";

/** A checkbox; `mixed` is the indeterminate state. */
export function Check({
  mixed = false,
  checked,
  ...input
}: { mixed?: boolean; checked: boolean } & Omit<
  ComponentProps<"input">,
  "type" | "checked" | "className" | "ref"
>) {
  return (
    <input
      {...input}
      type="checkbox"
      className="check"
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = mixed;
      }}
    />
  );
}
