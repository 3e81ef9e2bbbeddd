import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

/** `value` is 0 to 1; `label` describes the operation. */
export function ProgressBar({ value, label }: { value: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <span
      className="block h-0.75 overflow-hidden rounded-[2px] bg-active"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i
        className="block h-full rounded-[inherit] bg-accent-solid"
        style={{ inlineSize: `${percent}%` }}
      />
    </span>
  );
}

/** A grey line in place of text that is loading. */
export function Skeleton({ className, ...rest }: ComponentProps<"span">) {
  return <span {...rest} className={cn("h-2.5 rounded-[5px] bg-skeleton", className)} />;
}

/** Three dots: text is being generated. Pass `label` if no other text says so. */
export function LiveDots({ label, className }: { label?: string; className?: string }) {
  return (
    <span
      className={cn("inline-flex items-center gap-0.5", className)}
      title={label}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      {["", "[animation-delay:150ms]", "[animation-delay:300ms]"].map((delay) => (
        <i className={cn("size-0.75 animate-live rounded-full bg-accent", delay)} key={delay} />
      ))}
    </span>
  );
}
