import { Dialog as Radix } from "radix-ui";
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from "react";
import { cn } from "../../lib/cn.ts";

/** The backdrop behind a dialog. */
export const scrimStyles = "fixed inset-0 z-(--layer-dialog) animate-dim bg-scrim";

/** The look of a dialog, for dialogs that lay out their own content. */
export const dialogStyles =
  "fixed inset-0 z-(--layer-dialog) m-auto grid h-fit grid-cols-1 wrap-anywhere max-h-[calc(100dvh-32px)] w-[min(520px,100vw-24px)] animate-rise gap-4 overflow-auto rounded-lg bg-overlay p-6 shadow-dialog max-md:p-5";
export const dialogTitleStyles = "text-lg font-semibold tracking-snug";

/** The buttons at the end of a dialog, the main one last, or first on phones. */
export function DialogFooter({ className, ...rest }: ComponentProps<"footer">) {
  return (
    <footer
      {...rest}
      className={cn(
        "flex items-center justify-end gap-2 max-md:flex-col-reverse max-md:items-stretch max-md:[&>button]:h-11",
        className,
      )}
    />
  );
}

/** Key presses that belong to a dialog above the one that Radix offered them to. */
const passedOn = new WeakSet<Event>();
const isOnTop = (box: Element | null): boolean =>
  [...document.querySelectorAll('body > [role="dialog"][data-state="open"]')].at(-1) === box;

/**
 * A dialog's box. Radix knows which dialog is on top only some frames after it got the focus; until
 * then Esc would close the one below, or nothing. Here it closes the one on top.
 */
export function DialogContent({
  onClose,
  ...props
}: ComponentProps<typeof Radix.Content> & { onClose: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !isOnTop(box.current)) return;
      if (event.defaultPrevented && !passedOn.has(event)) return; // Radix, or a menu above
      event.preventDefault();
      close();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <Radix.Content
      {...props}
      ref={box}
      onInteractOutside={(event) => {
        // A toast above the dialog shouldn't close it.
        if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]"))
          event.preventDefault();
      }}
      onEscapeKeyDown={(event) => {
        if (isOnTop(box.current)) return;
        event.preventDefault();
        passedOn.add(event);
      }}
    />
  );
}

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
        <Radix.Overlay className={scrimStyles} />
        <DialogContent
          onClose={onClose}
          className={cn(dialogStyles, className)}
          {...(description ? {} : { "aria-describedby": undefined })}
          onCloseAutoFocus={(event) => {
            if (document.querySelector('[role="dialog"][data-state="open"]'))
              return event.preventDefault(); // focus is in the next dialog
            if (opener instanceof HTMLElement && opener.isConnected) {
              event.preventDefault();
              opener.focus();
            }
          }}
        >
          <div>
            <Radix.Title asChild>
              <h2 className={dialogTitleStyles}>{title}</h2>
            </Radix.Title>
            {description && (
              <Radix.Description asChild>
                <p className="text-fg-2 mt-1">{description}</p>
              </Radix.Description>
            )}
          </div>
          {children}
        </DialogContent>
      </Radix.Portal>
    </Radix.Root>
  );
}
