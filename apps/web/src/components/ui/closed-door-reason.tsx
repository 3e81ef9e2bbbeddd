import { LockKeyhole } from "lucide-react";
import { Popover } from "radix-ui";
import { cloneElement, type ComponentProps, type ReactElement } from "react";
import { useTranslation } from "react-i18next";
import "../../lib/closed-texts.ts";
import { cn } from "../../lib/cn.ts";
import type closed from "../../locales/en/closed.json";

/** What somebody may not do; names the text that says why, and whom to ask. */
export type ClosedDoorName = keyof typeof closed;

/** Why something is closed to the user: as a line of text, or when the button inside is pressed. */
export default function DoorReason({
  door,
  className,
  defaultOpen = false,
  children,
}: {
  door: ClosedDoorName;
  className?: string;
  defaultOpen?: boolean;
  children?: ReactElement<ComponentProps<"button">>;
}) {
  const { t } = useTranslation("closed");
  const reason = t(door);
  const line = (
    <p className={cn("flex gap-2 text-sm text-fg-2", className)}>
      <LockKeyhole className="mt-0.75 size-3.5 flex-none stroke-2 text-fg-3" aria-hidden="true" />
      <span className="min-w-0">{reason}</span>
    </p>
  );
  if (children === undefined) return line;
  return (
    <Popover.Root defaultOpen={defaultOpen}>
      <Popover.Trigger asChild>
        {cloneElement(children, {
          title: reason,
          className: cn(children.props.className, "text-fg-3! [&_svg]:opacity-50"),
        })}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="z-(--layer-menu) w-75 max-w-[calc(100vw-24px)] animate-appear rounded-md border border-line bg-overlay p-3 shadow-float outline-none"
          aria-label={reason}
          sideOffset={6}
          collisionPadding={12}
        >
          {line}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
