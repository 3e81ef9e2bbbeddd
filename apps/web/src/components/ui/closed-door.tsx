import { LockKeyhole } from "lucide-react";
import {
  cloneElement,
  lazy,
  Suspense,
  useState,
  type ComponentProps,
  type ReactElement,
} from "react";
import { cn } from "../../lib/cn.ts";

const load = (): Promise<typeof import("./closed-door-reason.tsx")> =>
  import("./closed-door-reason.tsx");
const OpenReason = lazy(load);

/** Why something is closed to the user, and whom to ask. */
export const ClosedReason = ({ reason, className }: { reason: string; className?: string }) => (
  <p className={cn("flex gap-2 text-sm text-fg-2", className)}>
    <LockKeyhole className="mt-0.75 size-3.5 flex-none stroke-2 text-fg-3" aria-hidden="true" />
    <span className="min-w-0">{reason}</span>
  </p>
);

/**
 * A button that the user may not use, in its place: it looks faint, and says why it is closed and
 * whom to ask, on hover and to screen readers (its description), and to whoever presses it.
 */
export function ClosedDoor({
  reason,
  children,
}: {
  reason: string;
  children: ReactElement<ComponentProps<"button">>;
}) {
  const [wanted, setWanted] = useState(false);
  const preload = (): void => void load();
  const button = cloneElement(children, {
    title: reason,
    className: cn(children.props.className, "[&_svg]:opacity-50"),
  });
  const shut = cloneElement(button, {
    "aria-haspopup": "dialog",
    "aria-expanded": false,
    onClick: () => setWanted(true),
    onPointerEnter: preload,
    onFocus: preload,
  });
  return wanted ? (
    <Suspense fallback={shut}>
      <OpenReason trigger={button} reason={reason} />
    </Suspense>
  ) : (
    shut
  );
}
