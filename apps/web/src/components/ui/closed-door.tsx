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
