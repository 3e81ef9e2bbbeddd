import { Suspense, cloneElement, useState, type ComponentProps } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import type { MenuProps } from "./dropdown-menu.tsx";

const Confirm = lazyPart(async () => ({
  default: (await import("./prompt-dialogs.tsx")).ConfirmDialog,
}));
const Name = lazyPart(async () => ({ default: (await import("./prompt-dialogs.tsx")).NameDialog }));

/** Dialogs are loaded when the first one opens. */
export const ConfirmDialog = (props: ComponentProps<typeof Confirm>) => (
  <Suspense>
    <Confirm {...props} />
  </Suspense>
);
export const NameDialog = (props: ComponentProps<typeof Name>) => (
  <Suspense>
    <Name {...props} />
  </Suspense>
);

const load = (): Promise<typeof import("./dropdown-menu.tsx")> => import("./dropdown-menu.tsx");
const OpenMenu = lazyPart(load);

/**
 * A menu on a button. Its code is loaded when the pointer or focus reaches the button, so that
 * pages don't pay for menus that are never opened.
 */
export function Menu({ trigger, items }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const preload = (): void => void load();
  const shut = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => setWanted(true),
    onPointerEnter: preload,
    onFocus: preload,
  });
  return wanted ? (
    <Suspense fallback={shut}>
      <OpenMenu trigger={trigger} items={items} />
    </Suspense>
  ) : (
    shut
  );
}
