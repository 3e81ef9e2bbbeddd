import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactElement } from "react";

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  run: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** Why the user may not do it and whom to ask; if set, choosing the item does nothing. */
  closed?: string;
  shortcut?: string;
  /** Set on the items of a single choice; the selected one is marked. */
  checked?: boolean;
}
export interface MenuProps {
  trigger: ReactElement<ComponentProps<"button">>;
  items: MenuItem[];
}
