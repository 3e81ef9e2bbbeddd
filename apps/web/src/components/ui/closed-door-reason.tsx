import { LockKeyhole } from "lucide-react";
import { Popover } from "radix-ui";
import { cloneElement, type ComponentProps, type ReactElement } from "react";
import { useTranslation } from "react-i18next";
import "../../lib/closed-texts.ts";
import { cn } from "../../lib/cn.ts";
import type { ClosedDoorName } from "./closed-door.tsx";

/** A reason with a lock before it. */
const LockedText = ({ text, className }: { text: string; className?: string }) => (
  <p className={cn("flex gap-2 text-sm text-fg-2", className)}>
    <LockKeyhole className="mt-0.75 size-3.5 flex-none stroke-2 text-fg-3" aria-hidden="true" />
    <span className="min-w-0">{text}</span>
  </p>
);

export function DoorReason({ door, className }: { door: ClosedDoorName; className?: string }) {
  const { t } = useTranslation("closed");
  return <LockedText text={t(door)} className={className ?? ""} />;
}

/** A button that explains itself when pressed. */
export function ExplainedDoor({
  door,
  defaultOpen,
  children,
}: {
  door: ClosedDoorName;
  defaultOpen: boolean;
  children: ReactElement<ComponentProps<"button">>;
}) {
  const { t } = useTranslation("closed");
  const reason = t(door);
  return (
    <Popover.Root defaultOpen={defaultOpen}>
      <Popover.Trigger asChild>{cloneElement(children, { title: reason })}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="z-(--layer-menu) w-75 max-w-[calc(100vw-24px)] animate-appear rounded-md border border-line bg-overlay p-3 shadow-float outline-none"
          aria-label={reason}
          sideOffset={6}
          collisionPadding={12}
        >
          <LockedText text={reason} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
