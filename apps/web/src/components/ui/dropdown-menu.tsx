import { cva } from "class-variance-authority";
import { Check, LockKeyhole, type LucideIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactElement } from "react";
import { useTranslation } from "react-i18next";
import "../../lib/closed-texts.ts";
import type { ClosedDoorName } from "./closed-door-reason.tsx";
import { Kbd } from "./kbd.tsx";

const menuItem = cva(
  "flex min-h-7.5 w-full cursor-pointer items-center gap-2 rounded-sm px-2 py-1 outline-none select-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-hover max-md:min-h-10",
  {
    variants: {
      danger: { true: "text-danger", false: "text-fg-1 [&_svg]:text-fg-3" },
    },
    defaultVariants: { danger: false },
  },
);

/**
 * Returns focus to the menu's button before an item opens something: the item itself will be gone
 * when that closes.
 */
function focusTrigger({ currentTarget }: Event): void {
  const id =
    currentTarget instanceof Element
      ? currentTarget.closest('[role="menu"]')?.getAttribute("aria-labelledby")
      : null;
  if (id) document.getElementById(id)?.focus();
}

/** The open menu. Destructive items come last, after a separator. */
export default function OpenMenu({ trigger, items }: MenuProps) {
  const { t } = useTranslation("closed");
  const firstDanger = items.findIndex((item) => item.danger);
  return (
    <DropdownMenu.Root
      modal={false}
      defaultOpen
      dir={document.documentElement.dir === "rtl" ? "rtl" : "ltr"}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="z-(--layer-menu) max-h-(--radix-dropdown-menu-content-available-height) w-max max-w-90 min-w-55 overflow-y-auto animate-appear rounded-md border border-line bg-overlay p-1 shadow-float"
          align="end"
          sideOffset={4}
          collisionPadding={8}
        >
          {items.flatMap((item, index) => [
            index === firstDanger && index > 0 ? (
              <DropdownMenu.Separator
                className="-mx-1 my-1 h-px bg-line"
                key={`line-${item.label}`}
              />
            ) : null,
            item.closed !== undefined ? (
              <DropdownMenu.Item
                key={item.label}
                className={menuItem({ className: "cursor-default items-start" })}
                onSelect={(event) => event.preventDefault()}
              >
                <LockKeyhole className="mt-0.75 size-3.5 flex-none stroke-2" aria-hidden="true" />
                <span className="grid min-w-0">
                  <span className="text-fg-3">{item.label}</span>
                  <span className="text-xs/4 text-fg-3">{t(item.closed)}</span>
                </span>
              </DropdownMenu.Item>
            ) : item.checked !== undefined ? (
              <DropdownMenu.CheckboxItem
                key={item.label}
                className={menuItem()}
                checked={item.checked}
                disabled={item.disabled ?? false}
                onSelect={(event) => {
                  focusTrigger(event);
                  item.run();
                }}
              >
                <item.icon className="size-3.5 flex-none stroke-2" aria-hidden="true" />
                <span className="min-w-0">{item.label}</span>
                <DropdownMenu.ItemIndicator className="ms-auto">
                  <Check className="size-3.5 stroke-2" aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.CheckboxItem>
            ) : (
              <DropdownMenu.Item
                key={item.label}
                className={menuItem({ danger: item.danger })}
                disabled={item.disabled ?? false}
                onSelect={(event) => {
                  focusTrigger(event);
                  item.run();
                }}
              >
                <item.icon className="size-3.5 flex-none stroke-2" aria-hidden="true" />
                <span className="min-w-0">{item.label}</span>
                {item.shortcut && (
                  <Kbd className="ms-auto flex-none border-0 bg-transparent ps-3 whitespace-nowrap">
                    {item.shortcut}
                  </Kbd>
                )}
              </DropdownMenu.Item>
            ),
          ])}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  run: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** Set if the user may not do it: the item says why and whom to ask, and does nothing. */
  closed?: ClosedDoorName;
  shortcut?: string;
  /** Set on the items of a single choice; the selected one is marked. */
  checked?: boolean;
}
export interface MenuProps {
  trigger: ReactElement<ComponentProps<"button">>;
  items: MenuItem[];
}
