import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../lib/cn.ts";

const icons = { bad: CircleAlert, warn: TriangleAlert, info: Info, plain: Info };
/** A short message that must be noticed; errors are announced to screen readers. */
export function Notice({
  kind = "plain",
  icon,
  children,
  action,
  className,
}: {
  kind?: keyof typeof icons;
  icon?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  const Icon = icons[kind];
  return (
    <div
      className={cn("notice", kind !== "plain" && kind, className)}
      role={kind === "bad" ? "alert" : undefined}
    >
      {icon ?? <Icon aria-hidden="true" />}
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  );
}
