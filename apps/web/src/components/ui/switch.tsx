import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** An on/off setting that applies at once. Its pointer target is larger than it looks. */
export const Switch = ({
  checked,
  onChange,
  className,
  ...button
}: { checked: boolean; onChange: (checked: boolean) => void } & Omit<
  ComponentProps<"button">,
  "onChange"
>) => (
  <button
    {...button}
    type="button"
    role="switch"
    className={cn(
      "relative h-5 w-8 flex-none rounded-[10px] border-[1.5px] border-control bg-sunken disabled:cursor-default disabled:opacity-50 aria-checked:border-accent-solid aria-checked:bg-accent-solid",
      "before:absolute before:-inset-2.5",
      "after:absolute after:start-[3px] after:top-[2.5px] after:size-3 after:rounded-full after:bg-control after:transition-[inset-inline-start] after:duration-(--motion-fast) after:ease-out aria-checked:after:start-3.5 aria-checked:after:bg-on-accent",
      className,
    )}
    aria-checked={checked}
    onClick={() => onChange(!checked)}
  />
);
