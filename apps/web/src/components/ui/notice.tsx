import { cva } from "class-variance-authority";
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../lib/cn.ts";
import { Button } from "./button.tsx";

const noticeStyles = cva(
  "flex flex-wrap gap-2.5 rounded-md border px-3 py-2.5 text-sm text-fg-2 [&_b]:font-medium [&_b]:text-fg-1 [&_p+p]:mt-px [&>:is(a,button)]:ms-auto [&>:is(a,button)]:self-center [&>svg]:mt-0.5",
  {
    variants: {
      kind: {
        plain: "border-line bg-hover",
        info: "border-info-line bg-info-subtle [&>svg]:text-info",
        warn: "border-warning-line bg-warning-subtle [&>svg]:text-warning",
        bad: "border-danger-line bg-danger-subtle [&>svg]:text-danger",
      },
    },
  },
);
const icons = { bad: CircleAlert, warn: TriangleAlert, info: Info, plain: Info };

/** A short, prominent message; errors are announced to screen readers. */
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
      className={cn(noticeStyles({ kind }), className)}
      role={kind === "bad" ? "alert" : undefined}
    >
      {icon ?? <Icon aria-hidden="true" />}
      {/* With too little room beside it, the action is below. */}
      <div className="min-w-0 flex-[1_1_11rem] wrap-anywhere">{children}</div>
      {action}
    </div>
  );
}

/** Explains why a query failed and offers to retry it. */
export function FailedQuery({
  title,
  retryLabel,
  error,
  retry,
}: {
  title?: string;
  retryLabel: string;
  error: Error;
  retry: () => void;
}) {
  return (
    <Notice
      kind="bad"
      action={
        <Button size="sm" onClick={retry}>
          {retryLabel}
        </Button>
      }
    >
      {title !== undefined && (
        <p>
          <b>{title}</b>
        </p>
      )}
      <p>{error.message}</p>
    </Notice>
  );
}
