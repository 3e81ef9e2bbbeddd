import { Dialog as Radix } from "radix-ui";
import { useState, type ReactNode } from "react";

/** What had the focus before the first of the dialogs that are open. */
let lastOpener: Element | null = null;
/**
 * A dialog that follows another one goes back to what opened that one: its own button is gone by
 * then.
 */
function findOpener(): Element | null {
  const active = document.activeElement;
  if (active && active !== document.body && !active.closest('[role="dialog"]')) lastOpener = active;
  return lastOpener;
}

/**
 * A dialog: focus is kept inside, Esc and the scrim close it, focus goes back to what opened it.
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
  // Before the first field takes the focus, which it does before Radix looks.
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
          className={`dialog centred ${className ?? ""}`}
          {...(description ? {} : { "aria-describedby": undefined })}
          onCloseAutoFocus={(event) => {
            if (document.querySelector('[role="dialog"][data-state="open"]'))
              return event.preventDefault(); // the one that follows has it
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
                <p className="t2 mt-1">{description}</p>
              </Radix.Description>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
