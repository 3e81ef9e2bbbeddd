import { Popover } from "radix-ui";
import type { ReactElement } from "react";
import { ClosedReason } from "./closed-reason.tsx";

/** The open explanation of why a button is unavailable. */
export default function OpenReason({ trigger, reason }: { trigger: ReactElement; reason: string }) {
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="z-(--layer-menu) w-75 max-w-[calc(100vw-24px)] animate-appear rounded-md border border-line bg-overlay p-3 shadow-float outline-none"
          aria-label={reason}
          sideOffset={6}
          collisionPadding={12}
        >
          <ClosedReason reason={reason} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
