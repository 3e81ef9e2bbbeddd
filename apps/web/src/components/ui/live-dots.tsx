import { cn } from "../../lib/cn.ts";

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
