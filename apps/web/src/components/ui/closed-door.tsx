import { cloneElement, Suspense, useState, type ComponentProps, type ReactElement } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import type { ClosedDoorName } from "./closed-door-reason.tsx";

const DoorReason = lazyPart(() => import("./closed-door-reason.tsx"));

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
  return (
    <Suspense fallback={cloneElement(children, { onClick: () => setWanted(true) })}>
      <DoorReason door={door} defaultOpen={isWanted}>
        {children}
      </DoorReason>
    </Suspense>
  );
}

/** Why something is unavailable to the user, and whom to ask. */
export const ClosedReason = (props: { door: ClosedDoorName; className?: string }) => (
  <Suspense>
    <DoorReason {...props} />
  </Suspense>
);
