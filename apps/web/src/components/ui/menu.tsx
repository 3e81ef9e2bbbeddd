import type { LucideIcon } from "lucide-react";
import {
  cloneElement,
  lazy,
  Suspense,
  useState,
  type ComponentProps,
  type ReactElement,
} from "react";

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  run: () => void;
  danger?: boolean;
  disabled?: boolean;
  shortcut?: string;
  /** Set on the items of a single choice; the selected one is marked. */
  checked?: boolean;
}
export interface MenuProps {
  trigger: ReactElement<ComponentProps<"button">>;
  items: MenuItem[];
}

const load = (): Promise<typeof import("./dropdown-menu.tsx")> => import("./dropdown-menu.tsx");
const OpenMenu = lazy(load);

/**
 * A menu on a button. Its code is loaded when the pointer or focus reaches the button, so that
 * pages don't pay for menus nobody opens.
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
