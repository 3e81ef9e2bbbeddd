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

/**
 * Stands in for a button that the user may not use: it looks faint, and explains why it is
 * unavailable and whom to ask, on hover, to screen readers (its description) and when pressed.
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
