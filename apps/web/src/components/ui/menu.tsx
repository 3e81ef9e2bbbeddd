import { Suspense, cloneElement, lazy, useState } from "react";
import type { MenuProps } from "./dropdown-menu.tsx";

const load = (): Promise<typeof import("./dropdown-menu.tsx")> => import("./dropdown-menu.tsx");
const OpenMenu = lazy(load);

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
