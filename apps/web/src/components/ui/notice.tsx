import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { clsx } from "clsx";
import type { ReactNode } from "react";

const icons = { bad: CircleAlert, warn: TriangleAlert, info: Info, plain: Info };
/** A short message that must be noticed; errors are announced to screen readers. */
export function Notice({
  kind = "plain",
  icon,
  children,
  action,
}: {
  kind?: keyof typeof icons;
  icon?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}) {
  const Icon = icons[kind];
  return (
    <div
      className={clsx("notice", kind !== "plain" && kind)}
      role={kind === "bad" ? "alert" : undefined}
    >
      {icon ?? <Icon className="i" aria-hidden="true" />}
      <div className="grow">{children}</div>
      {action}
    </div>
  );
}
