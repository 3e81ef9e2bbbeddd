import { Dialog as Radix } from "radix-ui";
import { useState, type ReactNode } from "react";
import { cn } from "../../lib/cn.ts";

/** The element that had focus before the first open dialog. */
let lastOpener: Element | null = null;
/**
 * The element to focus on close. A dialog opened from another one returns to that one's opener,
 * because its own button no longer exists.
 */
function findOpener(): Element | null {
  const active = document.activeElement;
  if (active && active !== document.body && !active.closest('[role="dialog"]')) lastOpener = active;
  return lastOpener;
}

/**
 * A modal dialog: traps focus, closes on Esc or a click on the backdrop, and returns focus to what
 * opened it.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  className,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  className?: string;
}) {
  // Read before the first field's autofocus, which runs before Radix records the active element.
  const [opener] = useState(findOpener);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="scrim-over" />
        <Radix.Content
          className={cn("dialog centred", className)}
          {...(description ? {} : { "aria-describedby": undefined })}
          onCloseAutoFocus={(event) => {
            if (document.querySelector('[role="dialog"][data-state="open"]'))
              return event.preventDefault(); // the next dialog has the focus
            if (opener instanceof HTMLElement && opener.isConnected) {
              event.preventDefault();
              opener.focus();
            }
          }}
        >
          <div>
            <Radix.Title asChild>
              <h2>{title}</h2>
            </Radix.Title>
            {description && (
              <Radix.Description asChild>
                <p className="text-fg-2 mt-1">{description}</p>
              </Radix.Description>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
