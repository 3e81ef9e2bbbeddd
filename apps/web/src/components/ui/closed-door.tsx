import {
  cloneElement,
  lazy,
  Suspense,
  useState,
  type ComponentProps,
  type ReactElement,
} from "react";
import { cn } from "../../lib/cn.ts";
import type closed from "../../locales/en/closed.json";

/** What somebody may not do; names the text that says why, and whom to ask. */
export type ClosedDoorName = keyof typeof closed;

const load = (): Promise<typeof import("./closed-door-reason.tsx")> =>
  import("./closed-door-reason.tsx");
const ExplainedDoor = lazy(async () => ({ default: (await load()).ExplainedDoor }));
const DoorReason = lazy(async () => ({ default: (await load()).DoorReason }));

/**
 * Stands in for a button that the user may not use: it looks faint, and explains why it is
 * unavailable and whom to ask, on hover, to screen readers (its description) and when pressed.
 */
export function ClosedDoor({
  door,
  children,
}: {
  door: ClosedDoorName;
  children: ReactElement<ComponentProps<"button">>;
}) {
  // Pressed while the explanation was still loading.
  const [isWanted, setWanted] = useState(false);
  const button = cloneElement(children, {
    className: cn(children.props.className, "text-fg-3! [&_svg]:opacity-50"),
  });
  return (
    <Suspense fallback={cloneElement(button, { onClick: () => setWanted(true) })}>
      <ExplainedDoor door={door} defaultOpen={isWanted}>
        {button}
      </ExplainedDoor>
    </Suspense>
  );
}

/** Why something is unavailable to the user, and whom to ask. */
export const ClosedReason = (props: { door: ClosedDoorName; className?: string }) => (
  <Suspense>
    <DoorReason {...props} />
  </Suspense>
);
